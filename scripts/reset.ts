import { existsSync, realpathSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { resetState } from "./services/reset-state";
import { defaultStateDir } from "./services/state-dir";

/** `npm run reset`: forgets everything that the embedded stores keep. Asks first; `--yes` answers. */
const wanted = defaultStateDir();
if (!existsSync(wanted)) {
  console.log(`Nothing to reset: ${wanted} does not exist.`);
  process.exit(0);
}
const stateDir = realpathSync(wanted);
if (!process.argv.includes("--yes") && !(await agreed())) {
  console.error("Nothing was removed.");
  process.exit(1);
}
try {
  await resetState(stateDir);
  console.log(`Emptied ${stateDir}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error("npm run reset asks before it removes: run it in a terminal, or with: npm run reset -- --yes");
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Remove all data, accounts, keys and logs in ${stateDir}? Type yes: `);
  terminal.close();
  return answer.trim().toLowerCase() === "yes";
}
