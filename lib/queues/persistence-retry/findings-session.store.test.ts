import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createReadRedis } from "@/lib/db/redis";
import { type FindingDesk, openFindingDesk, SESSION_KEY } from "@/scripts/testing/finding-desk";
import { type Made, makeLetter, whereabouts } from "@/scripts/testing/game";
import { WORK_KINDS } from "@/scripts/testing/kind-bodies";
import { requeueDoor } from "./door";
import type { PreflightSources } from "./preflight";

// Whether the player is online again, from the session's own key, and that the engine looks once more.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let desk: FindingDesk;
beforeAll(async () => {
  desk = await openFindingDesk();
});
afterEach(() => desk.redis.flushdb());
afterAll(() => desk?.end());

const keyOf = (token: string) => SESSION_KEY.replace("<token>", token);
const newToken = () => `tok-${randomUUID()}`;

/** A session since so many seconds on Redis's own clock. */
async function logIn(token: string, secondsAgo = 212): Promise<void> {
  const [seconds] = await desk.redis.time();
  await desk.redis.hset(keyOf(token), {
    character: "Brannoch",
    since: new Date((Number(seconds) - secondsAgo) * 1_000).toISOString(),
  });
}

async function withToken(kind?: (typeof WORK_KINDS)[number]): Promise<Made & { token: string }> {
  const token = newToken();
  return { ...(await makeLetter(desk.game, { kind, sessionToken: token })), token };
}

test.each(WORK_KINDS)("%s: active again is a warning, inactive is none", async (kind) => {
  const { letterId, token } = await withToken(kind);
  const before = await desk.look(letterId);
  expect(before.findings.find(({ code }) => code === "session_active")).toMatchObject({
    severity: "ok",
    title: "The session is not active",
  });
  await logIn(token);
  const found = await desk.look(letterId);
  const session = found.findings.find(({ code }) => code === "session_active");
  expect(session).toMatchObject({ severity: "warn", title: "The session is active again", runbook: "session_active" });
  expect(session?.reason).toMatch(/^It became active 3m 3[2-9]s ago\. The player is online while this write lands\./);
  expect(session?.acknowledgement).toContain("The session is active.");
  expect([before.expect?.session, found.expect?.session]).toEqual(["inactive", "active"]);
});

test.each([
  ["None", "the session does not depend on this write"],
  ["SessionDegraded", "the player notices that this write is missing"],
  ["DisconnectRequired", "the game server may end the session"],
])("the session impact %s is said in words", async (impact, words) => {
  const token = newToken();
  const { payload } = await makeLetter(desk.game, { sessionToken: token });
  const { letterId } = await makeLetter(desk.game, {
    payload: payload.replace('"session_impact":"None"', `"session_impact":"${impact}"`),
  });
  await logIn(token);
  const { session_active } = await desk.find(letterId);
  expect(session_active?.reason).toContain(words);
  expect(session_active?.evidence).toContainEqual({ label: "impact", value: impact });
});

test("a payload without a token names no session", async () => {
  const { payload } = await makeLetter(desk.game);
  const { letterId } = await makeLetter(desk.game, {
    payload: payload.replace(/"session_token":"[^"]+"/, '"session_token":null'),
  });
  const found = await desk.look(letterId);
  expect(found.findings).toContainEqual(
    expect.objectContaining({ code: "session_active", severity: "ok", title: "This write names no session" }),
  );
  expect(found.expect).toEqual({ characterVersion: "7" });
});

test("a session without 'since' is active all the same; one whose key is no hash could not be checked", async () => {
  const [plain, odd] = [await withToken(), await withToken()];
  await desk.redis.hset(keyOf(plain.token), { character: "Brannoch" });
  await desk.redis.set(keyOf(odd.token), "1");
  expect((await desk.find(plain.letterId)).session_active?.reason).toContain("Since when is not recorded.");
  const { session_active } = await desk.find(odd.letterId);
  expect(session_active).toMatchObject({ severity: "unknown", title: "The session could not be checked" });
  expect(session_active?.reason).toBe("What stands under the session's key in Redis is no hash.");
});

test("a Redis that does not answer within 500 ms: unknown, said once, and the rest is there", async () => {
  const { letterId } = await withToken();
  await desk.redis.call("client", "pause", "1500", "all");
  const startedMs = performance.now();
  const found = await desk.find(letterId);
  expect(performance.now() - startedMs).toBeLessThan(1_400);
  expect(found.session_active).toMatchObject({
    severity: "unknown",
    reason: "Redis did not answer within 500 ms.",
    acknowledgement: expect.stringContaining("could not be checked"),
  });
  expect(found.store_fit_redis).toBeUndefined();
  expect(found.already_applied?.severity).toBe("ok");
});

test.each([
  ["no template", { sessionActiveKey: null }, "BACKSTOP_KEY_SESSION_ACTIVE is not set."],
  ["no Redis", { redis: null }, "REDIS_URL is not set."],
] as [string, Partial<PreflightSources>, string][])(
  "with %s: a grey line, nothing to acknowledge",
  async (_, over, why) => {
    const { letterId } = await withToken();
    const found = await desk.find(letterId, over);
    expect(found.session_active).toMatchObject({
      severity: "not_configured",
      title: "Sessions are not configured for this game server",
    });
    expect(found.session_active?.reason).toContain(why);
    expect(found.session_active?.acknowledgement).toBeUndefined();
    expect(found.store_fit_redis).toBeUndefined();
  },
);

test("a payload over 4 MiB is not read for its token", async () => {
  const { payload, letterId } = await withToken();
  await desk.game.query("update persistence_job_dead_letters set payload = $2 where dead_letter_id = $1", [
    letterId,
    payload.replace("{", `{"pad":"${"x".repeat(4 * 1024 * 1024)}",`),
  ]);
  expect((await desk.find(letterId)).session_active).toMatchObject({ severity: "unknown" });
});

test("no token is in anything that a preflight gives back, whatever the session is", async () => {
  const { letterId, token } = await withToken();
  const looks = [await desk.look(letterId)];
  await logIn(token);
  looks.push(await desk.look(letterId));
  await desk.redis.del(keyOf(token));
  await desk.redis.set(keyOf(token), token);
  looks.push(await desk.look(letterId), await desk.look(letterId, { rpc: null }));
  expect(JSON.stringify(looks)).not.toContain(token);
  expect(desk.engine.output()).not.toContain(token);
});

async function press(made: Made, session: "active" | "inactive", over: Partial<PreflightSources> = {}) {
  const door = requeueDoor({ ...desk.sources, ...over });
  const items = [{ letterId: made.letterId, expect: { characterVersion: "7", session } }];
  return door.requeue(randomUUID(), items, "user-1", Date.now());
}

test.each([
  ["inactive", "active"],
  ["active", "inactive"],
] as const)(
  "seen %s by the plan and %s at the click: changed, and the answer names the session",
  async (planned, found) => {
    const made = await withToken();
    if (found === "active") await logIn(made.token);
    const ended = await press(made, planned);
    expect(ended).toMatchObject({
      kind: "answered",
      answers: [{ answer: "changed", changed: [{ field: "session", expected: planned, found }] }],
    });
    expect(await whereabouts(desk.game, made)).toMatchObject({ live: 0, dead: 1 });
    expect(await press(made, found)).toMatchObject({ answers: [{ answer: "requeued" }] });
  },
);

test("a Redis that does not answer the engine: not requeued", async () => {
  const made = await withToken();
  await desk.redis.call("client", "pause", "1500", "all");
  expect(await press(made, "inactive")).toMatchObject({
    answers: [{ answer: "changed", changed: [{ field: "session", expected: "inactive", found: null }] }],
  });
  expect(await whereabouts(desk.game, made)).toMatchObject({ live: 0, dead: 1 });
});

test("an engine that checks no session is not asked to, and requeues", async () => {
  const made = await withToken();
  const without = await desk.engineWith({ BACKSTOP_KEY_SESSION_ACTIVE: "" });
  expect(await press(made, "active", { rpc: without.client() })).toMatchObject({ answers: [{ answer: "requeued" }] });
});

test("a desk whose Redis user may not read the key cannot tell, and does not take it for inactive", async () => {
  const { letterId } = await withToken();
  const redis = createReadRedis(desk.services.redis.url("console"), "test-noperm");
  const { session_active } = await desk.find(letterId, { redis, sessionActiveKey: "elsewhere:<token>" });
  redis.disconnect();
  expect(session_active).toMatchObject({ severity: "unknown" });
  expect(session_active?.reason).toContain("may not read the session's key");
});
