import type { Reading } from "@/lib/domain/queue";
import type { RpcClient } from "@/lib/internal-rpc/client";
import { RPC_VERSION } from "@/lib/internal-rpc/wire";

/** What the engine says of itself. Null: a game server with the seed's routes only, which says nothing. */
export type EngineFacts = {
  tookMs: number;
  limits: { attemptsMax: number; leaseMs: number } | null;
  /** What is odd about it, in a sentence. */
  note: string | null;
};

/** Asks the engine what it is, in its name and nobody's. */
export async function readEngine(rpc: RpcClient | null): Promise<Reading<EngineFacts>> {
  if (!rpc) return { kind: "not_configured", sentence: "BACKSTOP_ENGINE_URL or BACKSTOP_RPC_KEYS is not set." };
  const begun = performance.now();
  const answer = await rpc.info();
  const tookMs = performance.now() - begun;
  switch (answer.kind) {
    case "ok": {
      const { retry_limit, lease_seconds, rpc_version } = answer.value;
      const odd = rpc_version !== RPC_VERSION;
      const note = odd ? `The engine speaks RPC version ${rpc_version}, this desk ${RPC_VERSION}.` : null;
      const limits = { attemptsMax: retry_limit, leaseMs: lease_seconds * 1_000 };
      return { kind: "read", value: { tookMs, limits, note } };
    }
    case "not_offered":
      return {
        kind: "read",
        value: { tookMs, limits: null, note: "It offers the seed's routes only: no limits, no facts." },
      };
    default:
      return { kind: "failed", code: answer.code, sentence: answer.sentence };
  }
}
