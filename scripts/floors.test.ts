import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The lowest version of each package without a known hole; `npm audit` may not be reachable where this runs. */
const FLOORS: Record<string, string> = { next: "16.4.5", react: "19.3.1", "react-dom": "19.3.1", zod: "4.6.7" };

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, { version?: string; resolved?: string }>;
};

function parts(version: string): number[] {
  return (version.split("-")[0] ?? "").split(".").map(Number);
}

function atLeast(version: string, floor: string): boolean {
  const [have, need] = [parts(version), parts(floor)];
  for (let i = 0; i < 3; i += 1) {
    const difference = (have[i] ?? 0) - (need[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

test.each(Object.entries(FLOORS))("%s is installed at %s or above, everywhere in the tree", (name, floor) => {
  const versions = Object.entries(lock.packages)
    .filter(([path]) => path === `node_modules/${name}` || path.endsWith(`/node_modules/${name}`))
    .map(([, entry]) => entry.version ?? "0.0.0");
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter((version) => !atLeast(version, floor))).toEqual([]);
});

test("the floor comparison itself can fail", () => {
  expect(atLeast("16.4.4", "16.4.5")).toBe(false);
  expect(atLeast("16.10.0", "16.4.5")).toBe(true);
});

test("the lock file carries no download address", () => {
  expect(Object.values(lock.packages).filter((entry) => entry.resolved)).toEqual([]);
});
