import { afterAll, beforeAll, expect, test } from "vitest";
import type { Who } from "@/lib/auth/role";
import { persistenceRetry } from "@/lib/queues/persistence-retry";
import { sessionLifecycle } from "@/lib/queues/session-lifecycle";
import { makeLetter } from "@/scripts/testing/game";
import { cleanupItem, dieInJournal, openJournal } from "@/scripts/testing/journal";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { revealLetter } from "./reveal";

let stores: TestStores;
let journal: Awaited<ReturnType<typeof openJournal>>;
beforeAll(async () => {
  stores = await openStores();
  journal = await openJournal(stores);
});
afterAll(async () => {
  await journal?.close();
  await stores?.close();
});

const WHO: Who = {
  userId: "9d2c4a37-6f1b-4a77-9a57-2f3b8d1c5e02",
  username: "jonas",
  displayName: "Jonas Lind",
  role: "operator",
  reveal: true,
  queues: null,
};
const by = (requestId: string, reveal = true) => ({ who: { ...WHO, reveal }, address: "10.0.0.9", requestId });
const persistence = () => persistenceRetry({ game: stores.pool("backstop_read"), redis: null, rpc: null });

async function audited(requestId: string) {
  const { rows } = await stores
    .pool("backstop_own")
    .query(
      "select phase, outcome, actor_name as who, address, target from backstop.audit where request_id = $1 and action = 'reveal' order by at",
      [requestId],
    );
  return rows;
}

test("what masks hide is read from the live store, between an intent and an outcome in the audit", async () => {
  const { letterId } = await makeLetter(stores.pool("engine"), {
    sessionToken: "tok-live-1",
    error: "refused tok-live-1 of jane@example.com",
  });
  const ending = await revealLetter(stores.pool("backstop_own"), persistence(), letterId, by("r-1"));
  expect(ending).toMatchObject({
    kind: "revealed",
    revealed: { error: "refused tok-live-1 of jane@example.com", payload: { masked: [] } },
  });
  expect(ending.kind === "revealed" && ending.revealed.payload.raw).toContain('"session_token":"tok-live-1"');
  const row = { who: "Jonas Lind", address: "10.0.0.9", target: { queue: "persistence-retry", letterId } };
  expect(await audited("r-1")).toEqual([
    { ...row, phase: "intent", outcome: null },
    { ...row, phase: "outcome", outcome: "revealed" },
  ]);
});

test("without the permission nothing is read, and the refusal is in the audit", async () => {
  const { letterId } = await makeLetter(stores.pool("engine"));
  const queue = { ...persistence(), letters: null };
  expect(await revealLetter(stores.pool("backstop_own"), queue, letterId, by("r-2", false))).toEqual({
    kind: "not_permitted",
  });
  expect(await audited("r-2")).toMatchObject([{ phase: "refusal", outcome: "needs_reveal" }]);
});

test("where the audit cannot be written nothing is given away", async () => {
  const { letterId } = await makeLetter(stores.pool("engine"), { sessionToken: "tok-live-3" });
  // This role may not write the audit.
  await expect(revealLetter(stores.pool("backstop_read"), persistence(), letterId, by("r-3"))).rejects.toThrow(
    /permission denied|read-only/,
  );
});

test("a letter that is gone is said to be gone, and the wish is audited", async () => {
  const nobody = "00000000-0000-4000-8000-000000000000";
  expect(await revealLetter(stores.pool("backstop_own"), persistence(), nobody, by("r-4"))).toEqual({ kind: "gone" });
  expect(await audited("r-4")).toMatchObject([{ phase: "intent" }, { phase: "outcome", outcome: "gone" }]);
});

test("a letter of the journal is revealed too: JSON as it is, and what is no text as base64", async () => {
  const redis = journal.admin;
  const [plain = "", odd = ""] = await dieInJournal(redis, [
    { item: cleanupItem({ session_token: "tok-live-5" }), error: "no ledger for tok-live-5" },
    { item: Buffer.from([0xff, 0x00]) },
  ]);
  const queue = sessionLifecycle({ game: null, redis, rpc: null });
  const seen = await revealLetter(stores.pool("backstop_own"), queue, plain, by("r-5"));
  expect(seen).toMatchObject({ kind: "revealed", revealed: { error: "no ledger for tok-live-5" } });
  const bytes = await revealLetter(stores.pool("backstop_own"), queue, odd, by("r-6"));
  expect(bytes).toMatchObject({ kind: "revealed", revealed: { payload: { text: "base64: /wA=" } } });
});
