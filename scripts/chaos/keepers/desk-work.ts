import { setTimeout as sleep } from "node:timers/promises";
import { decideLetters } from "@/lib/console/archive/resolve";
import type { ResolveVerb } from "@/lib/domain/resolve";
import type { Chaos } from "@/scripts/chaos/chaos";
import { count } from "@/scripts/chaos/tally";
import { QUEUE } from "@/scripts/testing/archive";
import type { Operator, TestDesk } from "@/scripts/testing/desk";

const DECIDE_MS = 250;
const REQUEUE_MS = 400;
const DECIDED_MAX = 20;

const SOME = "select letter_id as id from backstop.dead_letters where state = $1 order by random() limit $2";

/** What people do at the desk meanwhile, by its own code: they resolve letters, reopen some, and requeue others. */
export function startDeskWork(
  { random: seeded, tally }: Pick<Chaos, "random" | "tally">,
  desk: TestDesk,
  by: Operator,
): { stop(): Promise<void> } {
  const random = seeded.fork();
  let stopping = false;
  const some = async (state: string, most: number): Promise<string[]> =>
    (await desk.own.query(SOME, [state, most])).rows.map((row) => row.id);

  async function decide(): Promise<void> {
    const verb: ResolveVerb = random.chance(0.75) ? "resolve" : "reopen";
    const letterIds = await some(verb === "resolve" ? "open" : "resolved", random.int(1, DECIDED_MAX));
    if (letterIds.length === 0) return;
    const actor = { id: by.userId, name: by.name, role: "operator" };
    const decider = { userId: by.userId, actor, address: "127.0.0.1", requestId: "chaos" };
    const reason = `nothing is owed, says ${by.name}`;
    const decided = await decideLetters(desk.own, verb, { queue: QUEUE, letterIds, reason }, decider);
    if (decided.kind === "done") count(tally, `letters: ${verb}`, decided.changed);
  }

  async function requeue(): Promise<void> {
    const [letterId] = await some("open", 1);
    if (letterId === undefined) return;
    const { operationId } = await desk.plan(letterId, by);
    const { kind } = await desk.press(operationId, by);
    count(tally, `requeues by the desk: ${kind}`);
  }

  async function loop(work: () => Promise<void>, pauseMs: number): Promise<void> {
    // The store or the engine is away: whatever was begun is finished by a keeper.
    for (; !stopping; await sleep(pauseMs)) await work().catch(() => sleep(50));
  }

  const running = Promise.all([loop(decide, DECIDE_MS), loop(requeue, REQUEUE_MS)]);
  return {
    async stop() {
      stopping = true;
      await running;
    },
  };
}
