import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeDemo } from "@/lib/console/demo/change";
import type { FaultName } from "@/lib/domain/demo-fault";
import { startEngine, type TestEngine } from "@/scripts/testing/engine";
import { openStores, type TestStores } from "@/scripts/testing/stores";
import { until } from "@/scripts/testing/until";

const MAYA = { id: "5f8f6a9e-8f54-4d3e-9a57-8a3f7c1d2e01", name: "Maya Okafor", role: "operator" };
const asked = { actor: MAYA, address: "loopback", requestId: "test" };

let stores: TestStores;
let engine: TestEngine;
let since = 0;

beforeAll(async () => {
  stores = await openStores();
  engine = await startEngine(stores, { BACKSTOP_DEMO: "1" });
  // The very first start breaks the catalog by itself.
  const { demo } = engine.client();
  await until(async () => {
    const state = await demo.state();
    return state.kind === "ok" && state.value.broken_since !== null;
  });
});
afterAll(async () => {
  await engine.end();
  await stores.close();
});
beforeEach(async () => {
  const { rows } = await own().query("select coalesce(max(audit_id), 0)::int as last from backstop.audit");
  since = rows[0].last;
});

const own = () => stores.pool("backstop_own");

async function audited() {
  const { rows } = await own().query(
    "select phase, action, actor_id, outcome from backstop.audit where audit_id > $1 order by audit_id",
    [since],
  );
  return rows;
}
const line = (phase: string, action: string, outcome: string | null) => ({ phase, action, actor_id: MAYA.id, outcome });

describe("the demo's faults", () => {
  const begin = (fault: FaultName) => changeDemo(own(), engine.client(), { verb: "fault_begin", fault }, asked);
  const end = (fault: FaultName) => changeDemo(own(), engine.client(), { verb: "fault_end", fault }, asked);

  it("are made one at a time, whoever asks, and mended by name; each is audited before and after", async () => {
    const [first, other] = [await begin("worker_stopped"), await begin("missing_right")];
    expect(first.sentence).toMatch(/^A stopped worker\. Since \d\d:\d\d:\d\d, until it is mended\.$/);
    expect(other.sentence).toBe("Nothing was made: A stopped worker is open. There is one fault at a time.");
    expect(await end("missing_right")).toMatchObject({ kind: "done", demo: { fault: { fault: "worker_stopped" } } });
    expect(await end("worker_stopped")).toMatchObject({ kind: "done", demo: { fault: null } });
    expect((await end("worker_stopped")).sentence).toBe("The worker runs again and takes what is due.");
    const lines = (await audited()).map(({ phase, action, outcome }) => `${phase} ${action} ${outcome}`);
    const both = (action: string) => [`intent ${action} null`, `outcome ${action} done`];
    const verbs = ["fault_begin", "fault_begin", "fault_end", "fault_end", "fault_end"];
    expect(lines).toEqual(verbs.flatMap((verb) => both(`demo_${verb}`)));
    const { rows } = await own().query(
      "select target ->> 'demo' as fault from backstop.audit where audit_id > $1 and phase = 'intent' order by audit_id",
      [since],
    );
    expect(rows.map(({ fault }) => fault).slice(0, 3)).toEqual(["worker_stopped", "missing_right", "missing_right"]);
  });

  it("say what they do while they are open: since when, until when, and what became of the writes", async () => {
    const made = await begin("row_lock");
    expect(made.sentence).toMatch(/^Locked rows\. Since .*, over by itself at \d\d:\d\d:\d\d\.$/);
    expect((await end("row_lock")).sentence).toBe("The rows are free: what waits for them goes through.");
  });
});

describe("the demo's catalog", () => {
  it("is mended, and the audit has the intent before the outcome", async () => {
    const change = await changeDemo(own(), engine.client(), "mend", asked);
    expect(change).toMatchObject({ kind: "done", demo: { brokenSinceMs: null } });
    expect(change.sentence).toBe("Mended: the catalog is whole. Open a dead letter and requeue it.");
    expect(await audited()).toEqual([line("intent", "demo_mend", null), line("outcome", "demo_mend", "done")]);
  });

  it("is broken once, however often it is asked for", async () => {
    const [first, second] = await Promise.all([
      changeDemo(own(), engine.client(), "break", asked),
      changeDemo(own(), engine.client(), "break", asked),
    ]);
    expect(first).toMatchObject({ kind: "done" });
    expect(second).toEqual(first);
    expect(first.sentence).toMatch(/^Broken at \d\d:\d\d:\d\d\. The zone .+ is gone from the catalog/);
    const { rows } = await stores
      .pool("engine")
      .query("select count(*)::int as open from demo_breaks where mended_at is null");
    expect(rows[0].open).toBe(1);
  });

  it("stays as it is when the engine cannot be reached; that is audited, too", async () => {
    const change = await changeDemo(own(), engine.client("http://127.0.0.1:9"), "mend", asked);
    expect(change).toMatchObject({ kind: "not_done", sentence: expect.stringContaining("Nothing was changed.") });
    expect(await audited()).toEqual([line("intent", "demo_mend", null), line("outcome", "demo_mend", "not_sent")]);
  });

  it("is not touched when the intent cannot be written down", async () => {
    const reader = stores.pool("backstop_read");
    await expect(changeDemo(reader, engine.client(), "mend", asked)).rejects.toThrow();
    const state = await engine.client().demo.state();
    expect(state).toMatchObject({ kind: "ok", value: { broken_since: expect.any(String) } });
  });
});
