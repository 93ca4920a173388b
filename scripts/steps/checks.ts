import { runNode } from "./run";

/** Format, lint with the import arrows, and types. Answers the names of the steps that failed. */
export async function checks(): Promise<{ passed: string[]; failed: string[] }> {
  const steps: [name: string, script: string, args: string[]][] = [
    ["format and lint", "node_modules/@biomejs/biome/bin/biome", ["ci", "--error-on-warnings", "."]],
    ["route types", "node_modules/next/dist/bin/next", ["typegen"]],
    ["types", "node_modules/typescript/bin/tsc", []],
  ];
  const passed: string[] = [];
  const failed: string[] = [];
  for (const [name, script, args] of steps) {
    const code = await runNode(script, args, { ...process.env, NEXT_TELEMETRY_DISABLED: "1" });
    (code === 0 ? passed : failed).push(name);
  }
  return { passed, failed };
}
