import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyAudit } from "@/lib/console/audit/verify";
import { fillAudit } from "@/scripts/testing/audit-rows";
import { openStores, type TestStores } from "@/scripts/testing/stores";

let stores: TestStores;
let folder: string;
beforeAll(async () => {
  stores = await openStores();
  folder = mkdtempSync(join(tmpdir(), "backstop-audit-"));
  await fillAudit(stores.pool("backstop_own"), 9);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stores.close();
});

/** What the command says and ends with. */
async function verify(args: string[] = [], url = stores.postgresUrl("backstop_own")) {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/audit-verify.ts", ...args], {
    env: { ...process.env, BACKSTOP_DATABASE_URL: url },
  });
  let [said, out] = ["", ""];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  child.stdout.on("data", (chunk) => (out += chunk));
  const [code] = await once(child, "close");
  return { code, said, out };
}

test("a log without heads is told as compared with nothing, and where no other held one the command does not end as if all were well", async () => {
  const [none, log] = [join(folder, "empty.log"), join(folder, "whole.log")];
  const { head } = await verifyAudit(stores.pool("backstop_own"));
  writeFileSync(none, 'Ready\n{"event":"other"}\n');
  writeFileSync(log, `${JSON.stringify({ event: "audit_head", id: "9", head })}\n`);
  const [alone, beside] = await Promise.all([verify(["--log", none]), verify(["--json", "--log", log, "--log", none])]);
  expect(alone.code).toBe(2);
  expect(alone.said).toContain(`No head is in ${none}: the audit was not compared with it.`);
  expect(alone.said).not.toContain(`No head is in ${log}`);
  expect([beside.code, JSON.parse(beside.out)]).toEqual([0, []]);
  expect(beside.said).toContain(`No head is in ${none}`);
}, 60_000);

test("where nothing is wrong --json says so in JSON, and --help is an answer", async () => {
  const [found, help] = await Promise.all([verify(["--json"]), verify(["--help"], "postgresql://127.0.0.1:1/none")]);
  expect([found.code, found.said]).toEqual([0, "[]\n"]);
  expect([help.code, help.out]).toEqual([0, expect.stringMatching(/--log FILE[\s\S]*--json/)]);
}, 60_000);

test("the command names what is wrong and ends with 1; with 0 where nothing is, and with 2 where it cannot look", async () => {
  const { head } = await verifyAudit(stores.pool("backstop_own"));
  const [log, longer] = [join(folder, "web.log"), join(folder, "keeper.log")];
  const line = (id: number) => `12:00:00 web {"event":"audit_head","id":"${id}","head":"${head}"}\n`;
  writeFileSync(log, `Ready\n{"event":"other"}\n${line(9)}`);
  writeFileSync(longer, line(12));
  const [whole, away] = await Promise.all([
    verify(["--log", log]),
    verify([], "postgresql://nobody:secret-word@127.0.0.1:1/none"),
  ]);
  expect(whole.said).toMatch(/^9 rows, nothing wrong; heads in the log: 1\. Newest head: [\da-f]{64}\n$/);
  expect(whole.code).toBe(0);
  expect(away.code).toBe(2);
  expect(away.said).toMatch(/^The audit could not be verified: /);
  expect(away.said).not.toContain("secret-word");

  await stores.pool("backstop_migrate").query("update backstop.audit set actor_name = 'Somebody' where audit_id = 4");
  const wrong = await verify(["--json", "--log", log, "--log", longer]);
  expect(wrong.code).toBe(1);
  expect(JSON.parse(wrong.out)).toMatchObject([
    { kind: "edited", id: "4" },
    { kind: "truncated", id: "12" },
  ]);
}, 60_000);
