import type { Finding } from "@/lib/domain/preflight";
import type { RpcResult } from "@/lib/internal-rpc/result";
import { type InfoAnswer, RPC_VERSION } from "@/lib/internal-rpc/wire";
import { instantMs } from "./instant";

/** Past this the clocks differ so much that due times and signatures are worth a look; signatures end at 300 s. */
const SKEW_WARN_MS = 30_000;

const CODE = "engine";

/** What of the engine a requeue needs: reachable, same RPC version, clocks near, routes offered. */
export function engineFinding(info: RpcResult<InfoAnswer>, nowMs: number): Finding {
  switch (info.kind) {
    case "ok":
      return answered(info.value, nowMs);
    case "not_offered":
      return {
        code: CODE,
        severity: "ok",
        title: "The game server answers, with the seed's routes only",
        evidence: [],
      };
    case "not_sent":
    case "unknown":
      return block("The engine cannot be reached", info.sentence, info.code);
    case "refused":
      return block("The engine refuses this desk", info.sentence, info.code);
    default:
      return info satisfies never;
  }
}

function block(title: string, reason: string, code: string): Finding {
  return {
    code: CODE,
    severity: "block",
    title,
    reason,
    evidence: [{ label: "code", value: code }],
    whatToDo: "nothing can be requeued until it answers. Nothing is lost meanwhile.",
  };
}

function answered(info: InfoAnswer, nowMs: number): Finding {
  if (info.rpc_version !== RPC_VERSION) {
    return {
      code: CODE,
      severity: "block",
      title: "The engine speaks another RPC version",
      reason: `It speaks ${info.rpc_version}, this desk speaks ${RPC_VERSION}. It would refuse every requeue.`,
      evidence: [
        { label: "engine", value: String(info.rpc_version) },
        { label: "desk", value: String(RPC_VERSION) },
      ],
      whatToDo: "bring both to one version.",
    };
  }
  const skewMs = Math.round(instantMs(info.server_time) - nowMs);
  const evidence = [
    { label: "RPC version", value: String(info.rpc_version) },
    { label: "clock", value: `${skewMs >= 0 ? "+" : "−"}${Math.abs(skewMs)} ms against the desk` },
  ];
  if (Math.abs(skewMs) > SKEW_WARN_MS) {
    return {
      code: CODE,
      severity: "warn",
      title: `The engine's clock differs by ${Math.round(Math.abs(skewMs) / 1000)} s`,
      reason: "Signatures are refused from 300 s on.",
      evidence,
      whatToDo: "set both clocks. Ages here are on the database clock and stay right.",
      acknowledgement: "The clocks differ. I compared the times in the evidence.",
    };
  }
  return { code: CODE, severity: "ok", title: "The engine answers", evidence };
}

/** The routes of which a full preflight and a keyed requeue consist, below a queue's own. */
export type OfferedRoute = "preflight" | "requeue-batch";

/** Whether the game server offers a route below `base`. */
export function offersBelow(base: string, info: RpcResult<InfoAnswer>, route: OfferedRoute): boolean {
  return info.kind === "ok" && info.value.routes.includes(`POST ${base}/${route}`);
}

/** Requeues need an engine, and this desk knows of none. */
export function noEngine(): Finding {
  return {
    code: CODE,
    severity: "block",
    title: "No engine is configured",
    reason: "A requeue goes through the game server's signed endpoint, and this desk does not know where that is.",
    evidence: [],
    whatToDo: "set BACKSTOP_ENGINE_URL and BACKSTOP_RPC_KEYS.",
  };
}

/** Facts could not be read just now, though the engine offers them: gated like a warning. */
export function factsUnread(sentence: string, code: string): Finding {
  return {
    code: "facts",
    severity: "unknown",
    title: "What applying would do could not be read",
    reason: sentence,
    evidence: [{ label: "code", value: code }],
    whatToDo: "read again. What could not be read just now is gated like a warning.",
    acknowledgement: "The facts could not be read. I checked the character's present state otherwise.",
  };
}
