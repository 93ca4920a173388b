import { setTimeout as sleep } from "node:timers/promises";
import type { JournalFailpoint, WorkQueueFailpoint } from "@/lib/engine/failpoint";
import { goOn } from "@/scripts/chaos/chaos";
import type { Engine, Fleet } from "@/scripts/chaos/fleet";
import type { JournalStage } from "@/scripts/chaos/journal/stage";
import { journalUnderLoad } from "@/scripts/chaos/journal/under-load";
import { count } from "@/scripts/chaos/tally";

/** Those that a worker and its routes come by; who closes a stream comes by the others. */
const POINTS: (WorkQueueFailpoint | JournalFailpoint)[] = [
  "work_queue.take_after",
  "cleanup.before_effect",
  "work_queue.settle_before",
  "work_queue.settle_after",
  "work_queue.tick_after_step",
  "work_queue.return_before_step",
  "work_queue.return_after_step",
  "work_queue.requeue_before",
  "work_queue.requeue_after",
];
const POINT_WITHIN_MS = 8_000;
/** Kills between two checks of everything. */
const ROUND = 25;

/** SIGKILL at each failpoint in turn and, in a second worker that runs beside, at random moments. */
export async function journalWorkerKills(stage: JournalStage, kills: number): Promise<void> {
  const { chaos } = stage;
  let point = 0;
  for (let done = 0; done < kills; ) {
    const until = Math.min(done + ROUND, kills);
    await journalUnderLoad(stage, `${until} kills of journal workers`, async (fleet) => {
      let left = until - done;
      const again = async (kill: () => Promise<void>) => {
        while (left > 0) {
          goOn(chaos);
          left -= 1;
          await kill();
        }
      };
      const atPoint = () => killAtPoint(stage, fleet, POINTS[point++ % POINTS.length] ?? "work_queue.take_after");
      await Promise.all([again(atPoint), again(() => killAtMoment(stage, fleet))]);
    });
    done = until;
  }
}

async function killAtPoint(stage: JournalStage, fleet: Fleet, point: (typeof POINTS)[number]): Promise<void> {
  const { chaos } = stage;
  const nth = /settle|take|effect/.test(point) ? chaos.random.int(1, 20) : 1;
  const engine = stage.start(fleet, { BACKSTOP_FAILPOINTS: `${point}=kill@${nth}` });
  await ready(engine);
  await Promise.race([engine.ended, sleep(POINT_WITHIN_MS)]);
  count(chaos.tally, engine.over ? `journal workers killed at ${point}` : "journal workers killed at a random moment");
  await end(engine);
}

async function killAtMoment(stage: JournalStage, fleet: Fleet): Promise<void> {
  const engine = stage.start(fleet);
  await ready(engine);
  await sleep(stage.chaos.random.int(50, 1_500));
  count(stage.chaos.tally, "journal workers killed at a random moment");
  await end(engine);
}

const ready = (engine: Engine) => Promise.race([engine.ready, engine.ended]).catch(() => {});

async function end(engine: Engine): Promise<void> {
  engine.kill("SIGKILL");
  await engine.ended;
}
