import type { RpcClient } from "@/lib/internal-rpc/client";
import type { RequeueResult } from "./queue";

type Info = Awaited<ReturnType<RpcClient["info"]>>;

const NO_ENGINE: RequeueResult = {
  kind: "not_sent",
  code: "not_configured",
  sentence: "No engine is configured. Nothing was sent.",
};

/** Before anything is sent: the engine that would take it and what it tells of itself, or how the requeue ends without it. */
export async function askEngine(
  rpc: RpcClient | null,
  actor: string,
): Promise<{ rpc: RpcClient; info: Info } | { ended: RequeueResult }> {
  if (rpc === null) return { ended: NO_ENGINE };
  const info = await rpc.info(actor);
  if (info.kind === "not_sent" || info.kind === "unknown")
    return { ended: { kind: "not_sent", code: info.code, sentence: info.sentence } };
  if (info.kind === "refused")
    return { ended: { kind: "refused", code: info.code, sentence: info.sentence, requestId: info.requestId } };
  return { rpc, info };
}
