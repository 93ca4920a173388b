import type { FaultView } from "@/lib/domain/demo-fault";
import type { DemoView } from "@/lib/domain/overview";
import type { Reading } from "@/lib/domain/queue";
import type { RpcClient } from "@/lib/internal-rpc/client";
import type { DemoFault, DemoState } from "@/lib/internal-rpc/demo-wire";

/** The wire's words in the console's. */
export function demoView(state: DemoState): DemoView {
  return {
    brokenSinceMs: state.broken_since === null ? null : Date.parse(state.broken_since),
    zoneName: state.zone_name,
    letters: state.letters,
    lettersMax: state.letters_max,
    idle: state.idle,
    characters: state.characters,
    fault: state.fault ? faultView(state.fault) : null,
  };
}

function faultView(fault: DemoFault): FaultView {
  return {
    fault: fault.fault,
    sinceMs: Date.parse(fault.since),
    endsMs: fault.ends_at === null ? null : Date.parse(fault.ends_at),
    frozenMs: fault.frozen_at === null ? null : Date.parse(fault.frozen_at),
    writes: fault.writes,
    writesMax: fault.writes_max,
    waiting: fault.waiting,
    letters: fault.letters,
  };
}

/** How the demo world stands. */
export async function readDemo(rpc: RpcClient | null): Promise<Reading<DemoView>> {
  if (!rpc) return { kind: "not_configured", sentence: "BACKSTOP_ENGINE_URL or BACKSTOP_RPC_KEYS is not set." };
  const answer = await rpc.demo.state();
  if (answer.kind === "ok") return { kind: "read", value: demoView(answer.value) };
  return { kind: "failed", code: "code" in answer ? answer.code : answer.kind, sentence: answer.sentence };
}
