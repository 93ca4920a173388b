import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordAudit } from "@/lib/console/audit/record";
import { archiveLetter } from "@/scripts/testing/archived-letters";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { addNote } from "./notes";
import { decideLetters } from "./resolve";
import { writeTimeline } from "./timeline";

let stores: TestStores;
let own: Pool;
beforeAll(async () => {
  stores = await openStores();
  own = stores.pool("backstop_own");
});
afterAll(() => stores.close());

test("a timeline tells each cause when it began and ended, and each requeue, decision and note, in order and nothing else", async () => {
  const { rows } = await own.query(
    `insert into backstop.users (username, display_name, role, password_hash) values ('vera', 'Vera *Lind*', 'operator', 'x')
     returning user_id, extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  );
  const [{ user_id: userId, ms: startMs }] = rows;
  const actor = { id: userId as string, name: "Vera *Lind*", role: "operator" };
  const ago = (minutes: number) => new Date(startMs - minutes * 60_000).toISOString();
  const made = [];
  for (const minutes of [30, 20, 10]) {
    made.push(
      await archiveLetter(own, {
        error: "the vault is shut (7)",
        diedAt: ago(minutes),
        state: minutes === 20 ? "recovered" : "open",
      }),
    );
  }
  await archiveLetter(own, { error: "only `once`", diedAt: ago(25) });
  await archiveLetter(own, { error: "long before", diedAt: ago(900) });
  const by = { userId, actor, address: "", requestId: "r" };
  // As a requeue writes them: its reason with the intent, its answer later and by itself.
  const requeue = {
    action: "requeue",
    actor,
    target: { queue: "persistence-retry", letterId: made[1]?.id },
    operationId: randomUUID(),
  };
  await recordAudit(own, { ...requeue, phase: "intent", reason: "the [fix](x) is in" });
  await recordAudit(own, { ...requeue, phase: "outcome", outcome: "requeued" });
  const letterIds = [made[0]?.id ?? ""];
  await decideLetters(own, "resolve", { queue: "persistence-retry", letterIds, reason: "paid by hand yesterday" }, by);
  await addNote(own, {
    groupId: made[0]?.groupId ?? "",
    body: "Zone 418\n# is \u202egone",
    actor,
    address: null,
    requestId: "r",
  });
  await recordAudit(own, { phase: "outcome", action: "sign_in", actor, target: {} });

  const text = await writeTimeline(own, {}, { fromMs: startMs - 40 * 60_000, toMs: startMs + 60_000 });
  expect(text).toContain("- 4 letters died of 2 causes.");
  expect(text).toContain(
    "- `the vault is shut (‹n›)` (new), combat\\_rewards: 3 letters of 3 characters, 1 settled otherwise, 1 recovered, 1 open now.",
  );
  const happened = [...text.matchAll(/^- \*\*\d\d:\d\d:\d\d\*\* (.*)$/gm)].map(([, line]) => line);
  expect(happened).toEqual([
    "The first of 3 letters died of `the vault is shut (‹n›)`.",
    "A letter died of `only ‹value›`, the only one.",
    expect.stringMatching(/^The last one died of `the vault is shut \(‹n›\)`, which began at \d\d:\d\d:\d\d\.$/),
    expect.stringMatching(
      /^\*\*Vera \\\*Lind\\\*\*\* requeued letter [-\\0-9a-f]+: requeued\. Reason: the \\\[fix\\\]\\\(x\\\) is in$/,
    ),
    "**Vera \\*Lind\\*** resolved 1 letter. Reason: paid by hand yesterday",
    "**Vera \\*Lind\\*** noted: Zone 418 \\# is ‹RLO›gone",
  ]);
});
