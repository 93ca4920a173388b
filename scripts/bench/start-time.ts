import { startProduct } from "@/scripts/testing/product";
import { atMost, type Figure } from "./figure";

const ROUNDS = 5;

/** From the start script to its `Ready:` line: the first start of an empty state folder, and later ones with nothing stale. */
export async function startTime(): Promise<Figure[]> {
  const first = await startProduct({ empty: true });
  await first.end();
  const warm: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const again = await startProduct({ stateDir: first.stateDir });
    warm.push(again.readyMs);
    await again.end({ forget: round === ROUNDS - 1 });
  }
  warm.sort((a, b) => a - b);
  const seconds = (ms: number) => Math.round(ms / 10) / 100;
  return [
    {
      name: "first start, empty state folder",
      value: seconds(first.readyMs),
      unit: "s",
      goal: "reported",
      met: null,
      note: "with a build where the sources changed",
    },
    atMost(
      "second start, nothing stale (median)",
      seconds(warm[Math.floor(ROUNDS / 2)] ?? 0),
      "s",
      5,
      `slowest ${seconds(warm.at(-1) ?? 0)} s of ${ROUNDS}`,
    ),
  ];
}
