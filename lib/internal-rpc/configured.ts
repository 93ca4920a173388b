import type { Config } from "@/lib/config";
import { createRpcClient, type RpcClient } from "./client";
import { parseRpcKeys } from "./keys";

/** The client of the configured game server; null when none is configured. Throws when the keys are unfit. */
export function rpcClientOf(config: Pick<Config, "engineUrl" | "rpcAudience" | "rpcKeys">): RpcClient | null {
  if (!config.engineUrl || !config.rpcKeys) return null;
  return createRpcClient({
    engineUrl: config.engineUrl,
    audience: config.rpcAudience,
    keys: parseRpcKeys(config.rpcKeys),
  });
}
