import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Lane } from "./lane";
import type { Mutant } from "./list";

/**
 * `killed`: a test failed, as it must. `survived`: all passed without the guard. `broken`: nothing is proved, since the
 * place was not found, no test ran, or the mutant did not even load.
 */
export type Verdict = { kind: "killed" } | { kind: "survived"; why: string } | { kind: "broken"; why: string };

const MAKES_STORES = /^(lib\/db\/migrat|lib\/engine\/migrat|scripts\/(services|testing)\/)/;

type Report = { numTotalTests: number; numFailedTests: number; numPassedTests: number };

/** Makes one mutant in the lane, runs its tests, and undoes it. */
export async function judge(lane: Lane, { file, find, replace, tests, title }: Mutant): Promise<Verdict> {
  const path = join(lane.dir, file);
  if (!existsSync(path)) return { kind: "broken", why: `there is no ${file}` };
  const whole = readFileSync(path, "utf8");
  const places = whole.split(find).length - 1;
  if (places !== 1) return { kind: "broken", why: `${places} places in ${file}, where one was expected` };
  writeFileSync(
    path,
    whole.replace(find, () => replace),
  );
  const report = join(lane.dir, "mutant-report.json");
  rmSync(report, { force: true });
  try {
    const args = ["run", "--bail=1", "--reporter=json", `--outputFile=${report}`, ...(title ? ["-t", title] : [])];
    // A mutant of what makes the stores is seen in stores that it made.
    const kept = MAKES_STORES.test(file) ? {} : { BACKSTOP_TEST_SERVERS: lane.servers };
    await vitest(lane.dir, [...args, ...tests], kept);
  } finally {
    writeFileSync(path, whole);
  }
  if (!existsSync(report)) return { kind: "broken", why: "no test ran" };
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, "utf8")) as Report;
  if (numFailedTests > 0) return { kind: "killed" };
  if (numPassedTests === 0) return { kind: "broken", why: "no test ran" };
  return { kind: "survived", why: `${numPassedTests} tests passed in ${tests.join(", ")}` };
}

function vitest(cwd: string, args: string[], kept: { BACKSTOP_TEST_SERVERS?: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
      cwd,
      stdio: "ignore",
      env: { ...process.env, ...kept },
    });
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
}
