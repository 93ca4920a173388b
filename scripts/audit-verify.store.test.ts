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
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const [code] = await once(child, "close");
  return { code, said };
}

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
  const findings = wrong.said
    .trim()
    .split("\n")
    .map((each) => JSON.parse(each));
  expect(findings).toMatchObject([
    { kind: "edited", id: "4" },
    { kind: "truncated", id: "12" },
  ]);
}, 60_000);
