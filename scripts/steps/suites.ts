import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runNode } from "./run";

/** What a suite counted; `unsteady` names the tests that passed only in their second run. */
export type Count = { passed: number; failed: number; unsteady: string[] };

/** A suite that could not even be loaded ends with a code and no failed test: it must count. */
const orOne = (failed: number, code: number) => Math.max(failed, code === 0 ? 0 : 1);

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
};

async function vitest(args: string[]): Promise<{ count: Count; files: string[]; names: string[] }> {
  const { code, told } = await withReport<VitestReport>((file) =>
    runNode("node_modules/vitest/vitest.mjs", [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile=${file}`,
      ...args,
    ]),
  );
  const bad = told?.testResults.filter(({ status }) => status !== "passed") ?? [];
  const names = bad.flatMap(({ name, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const file = relative(process.cwd(), name);
    return failed.length === 0 ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`);
  });
  return {
    count: {
      passed: told?.numPassedTests ?? 0,
      failed: orOne(told?.numFailedTests ?? 1, code),
      unsteady: [],
    },
    files: bad.map(({ name }) => relative(process.cwd(), name)),
    names,
  };
}

/** Unit and store tests; a file that failed is run once more, alone. A run that names no failed file stays as it was. */
export async function runVitest(): Promise<Count> {
  const { count, files, names } = await vitest([]);
  if (count.failed === 0 || files.length === 0) return count;
  const again = await vitest(["--maxWorkers=1", ...files]);
  if (again.count.failed > 0) return { ...count, failed: Math.max(count.failed, again.count.failed) };
  return { passed: count.passed + count.failed, failed: 0, unsteady: names };
}

type Suite = { suites?: Suite[]; specs?: { title: string; file: string; tests: { status: string }[] }[] };
type BrowserReport = Suite & { stats: { expected: number; unexpected: number; flaky: number } };

const flaky = ({ suites = [], specs = [] }: Suite): string[] => [
  ...specs
    .filter(({ tests }) => tests.some(({ status }) => status === "flaky"))
    .map(({ file, title }) => `e2e/${file}: ${title}`),
  ...suites.flatMap(flaky),
];

/** Browser tests, after one build: each product that they start finds it. What fails is tried once more by Playwright. */
export async function runBrowser(): Promise<Count> {
  const built = await runNode("scripts/build.ts", [], process.env, ["--import", "tsx"]);
  if (built !== 0) return { passed: 0, failed: 1, unsteady: [] };
  const { code, told } = await withReport<BrowserReport>((file) =>
    runNode("node_modules/playwright/cli.js", ["test"], { ...process.env, BACKSTOP_E2E_REPORT: file }),
  );
  const { expected = 0, unexpected = 1, flaky: late = 0 } = told?.stats ?? {};
  return { passed: expected + late, failed: orOne(unexpected, code), unsteady: told ? flaky(told) : [] };
}

/** Runs a suite with a file for its JSON report; `told` is null where it wrote none. */
async function withReport<T>(suite: (file: string) => Promise<number>): Promise<{ code: number; told: T | null }> {
  const folder = mkdtempSync(join(tmpdir(), "backstop-test-"));
  const file = join(folder, "report.json");
  const code = await suite(file);
  const told = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as T) : null;
  rmSync(folder, { recursive: true, force: true });
  return { code, told };
}
