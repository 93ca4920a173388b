import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Work } from "@/lib/engine/testing/conservation";
import { type Chaos, goOn } from "@/scripts/chaos/chaos";
import { drainAndCheck } from "@/scripts/chaos/drain";
import { count, violated } from "@/scripts/chaos/tally";

/** A producer is killed between its durable insert and the signal: what it said is durable is there, and worked off by polling. */
export async function producerKills(chaos: Chaos, kills: number): Promise<void> {
  if (kills === 0) return;
  for (let done = 0; done < kills; done += 1) {
    goOn(chaos);
    await killOne(chaos);
  }
  await drainAndCheck(chaos, `${kills} producer kills`);
}

async function killOne({ postgres, book, world, random, tally, signal: stop }: Chaos): Promise<void> {
  const env = { ...process.env, BACKSTOP_FAILPOINTS: `queue.after_insert=kill@${random.int(1, 20)}` };
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/chaos/producer-main.ts"], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line) as { intent?: Work; durable?: string };
    if (said.intent) book.works.set(said.intent.retryJobId, said.intent);
    const work = book.works.get(said.durable ?? "");
    if (!work) return;
    work.told = "durable";
    count(tally, "pieces of work");
  });
  child.stdin.end(`${JSON.stringify({ url: postgres.url("engine"), seed: random.int(1, 1_000_000), world })}\n`);
  const [[, signal]] = await Promise.all([once(child, "exit"), once(lines, "close")]);
  // Ctrl-C reaches it, too.
  if (signal !== "SIGKILL" && !stop.aborted)
    violated(tally, `the producer ended with ${child.exitCode}, and was not killed`);
  count(tally, "producer kills at queue.after_insert");
}
