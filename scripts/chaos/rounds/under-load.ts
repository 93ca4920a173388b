import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { drainAndCheck } from "@/scripts/chaos/drain";
import { type Fleet, openFleet } from "@/scripts/chaos/fleet";
import { startOperator } from "@/scripts/chaos/operator";
import { startProducer } from "@/scripts/chaos/producer";

/** Something happens to engines or store while work is queued and letters are requeued; then all is drained and checked. */
export async function underLoad(chaos: Chaos, name: string, act: (fleet: Fleet) => Promise<void>): Promise<void> {
  const fleet = openFleet(chaos);
  const producer = startProducer(chaos);
  const operator = startOperator(chaos, fleet);
  try {
    await act(fleet);
  } finally {
    await Promise.all([producer.stop(), operator.stop()]);
    await fleet.end();
  }
  goOn(chaos);
  await drainAndCheck(chaos, name);
}
