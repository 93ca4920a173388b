import { createHash, createHmac, createSecretKey, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import type pg from "pg";
import { Pool } from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { gapsOfAudit } from "@/lib/console/overview/gaps";
import { migrate } from "@/lib/db/migrate";
import { createReadRedis } from "@/lib/db/redis";
import { verifyRequest } from "@/lib/internal-rpc/verify";
import { persistenceRetry } from "@/lib/queues/persistence-retry";
import { sessionLifecycle } from "@/lib/queues/session-lifecycle";
import { withClient } from "@/scripts/services/prepare-database";
import { makeLetter } from "@/scripts/testing/game";
import { SEED_TABLES } from "@/scripts/testing/given-stores";

// What the docs tell people to run is run here, as it stands there.

const SYSTEM = readFileSync("docs/your-system.md", "utf8");
const CONFIGURATION = readFileSync("docs/configuration.md", "utf8");

/** The fenced block that bears this name. */
function block(name: string): string {
  const found = SYSTEM.match(new RegExp(`^\`\`\`\\w+ ${name}\\n([\\s\\S]*?)\\n\`\`\`$`, "m"))?.[1];
  if (found === undefined) throw new Error(`docs/your-system.md has no block ${name}`);
  return found;
}

describe("your-system.md, Postgres", () => {
  const suffix = randomBytes(4).toString("hex");
  const [game, ownDatabase] = [`game_${suffix}`, `backstop_${suffix}`];
  const roles = ["desk_read", "desk_own", "desk_migrate"];
  const admin = (database = "postgres") => at(inject("stores").postgres.postgres, database);
  const pools: pg.Pool[] = [];

  /** The URL that somebody would write for a role, with the password that the docs gave it. */
  function url(role: string, database = game): string {
    const made = new URL(admin(database));
    made.username = role;
    made.password = { desk_read: "PASSWORD-1", desk_migrate: "PASSWORD-2", desk_own: "PASSWORD-3" }[role] ?? "";
    return made.href;
  }
  const poolOf = (role: string, database = game) => {
    const pool = new Pool({ connectionString: url(role, database), max: 2 });
    pools.push(pool);
    return pool;
  };
  /** Runs a block as the superuser of the game's database, statement by statement as psql does. */
  const run = (name: string) =>
    withClient(admin(game), async (client) => {
      const sql = block(name)
        .replaceAll("database aether", `database ${game}`)
        .replaceAll("database backstop", `database ${ownDatabase}`);
      for (const statement of sql.split(";\n")) await client.query(statement);
    });

  beforeEach(async () => {
    await withClient(admin(), async (client) => {
      await client.query(`create database ${game}`);
      // Somebody careful has taken away what everybody may do by default.
      await client.query(`revoke all on database ${game} from public`);
    });
    await withClient(admin(game), (client) => client.query(SEED_TABLES));
  });
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
    await withClient(admin(), async (client) => {
      for (const database of [game, ownDatabase])
        await client.query(`drop database if exists ${database} with (force)`);
      for (const role of roles) await client.query(`drop role if exists ${role}`);
    });
  });

  test("the reading role reads everything that the desk shows, and can write nothing", async () => {
    await run("reading-role");
    const owner = new Pool({ connectionString: admin(game), max: 1 });
    pools.push(owner);
    const { letterId } = await makeLetter(owner, { characterId: crypto.randomUUID() });
    const reader = poolOf("desk_read");
    const queue = persistenceRetry({ game: reader, redis: null, rpc: null });
    expect(await queue.readDepths()).toMatchObject({ kind: "read", value: { dead: 1 } });
    expect(await queue.letters?.findLetter(letterId)).toMatchObject({ id: letterId });
    for (const sql of [
      "delete from persistence_job_dead_letters",
      "set default_transaction_read_only = off; delete from persistence_job_dead_letters",
      "set default_transaction_read_only = off; create table mine ()",
    ])
      await expect(reader.query(sql)).rejects.toThrow(/read-only|permission denied/);
  });

  test.each([
    ["own-schema", game],
    ["own-database", ownDatabase],
  ])("%s: the start makes the schema, and the audit cannot be changed by who works with it", async (name, database) => {
    await run(name);
    const urls = { migrateUrl: url("desk_migrate", database), ownUrl: url("desk_own", database) };
    await migrate(urls);
    await migrate(urls);
    const own = poolOf("desk_own", database);
    expect(await gapsOfAudit(own)).toEqual({ of: "Audit", sentences: [] });
    await own.query("insert into backstop.duties (duty, holder, expires_at) values ('docs', 'test', now())");
    await expect(own.query("delete from backstop.audit")).rejects.toThrow("permission denied");
    await expect(own.query("create table public.mine ()")).rejects.toThrow("permission denied");
    if (database === game)
      await expect(own.query("select 1 from persistence_retry_jobs")).rejects.toThrow("permission denied");
  });

  test("one-role: it works, and the desk says what that costs", async () => {
    await run("one-role");
    await migrate({ migrateUrl: url("desk_own"), ownUrl: url("desk_own") });
    const { sentences } = await gapsOfAudit(poolOf("desk_own"));
    expect(sentences).toEqual([expect.stringMatching(/^It is not append-only here/)]);
  });
});

test("your-system.md, Redis: the user reads what the desk shows, and can write nothing", async () => {
  const admin = new Redis(inject("stores").redis.admin);
  await admin.call("ACL", ...block("acl").replace(/^ACL /, "").split(" "));
  const asked = new URL(inject("stores").redis.admin);
  [asked.username, asked.password] = ["desk", "PASSWORD-4"];
  const redis = createReadRedis(asked.href, "docs");
  try {
    expect(await sessionLifecycle({ game: null, redis, rpc: null }).readDepths()).toMatchObject({ kind: "read" });
    for (const refused of [
      redis.lpush("{session_lifecycle}:journal:pending", "x"),
      redis.get("somebody:elses"),
      redis.eval("return 1", 0),
      redis.keys("*"),
      redis.flushdb(),
    ])
      await expect(refused).rejects.toThrow("NOPERM");
  } finally {
    redis.disconnect();
    await admin.acl("DELUSER", "desk");
    admin.disconnect();
  }
});

describe("your-system.md, the signing example", () => {
  const secret = Buffer.from(block("key"), "base64");
  const [head = "", body = ""] = block("request").split("\n\n");
  const [start = "", ...lines] = head.split("\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), [line.slice(line.indexOf(":") + 2)]]),
  );

  test("by hand, as its steps have it", () => {
    const [input = ""] = headers["signature-input"] ?? [];
    const digest = createHash("sha256").update(body).digest("base64");
    expect(headers["content-digest"]).toEqual([`sha-256=:${digest}:`]);
    expect(block("signed").endsWith(`"@signature-params": ${input.replace(/^backstop=/, "")}`)).toBe(true);
    const mac = createHmac("sha256", secret).update(block("signed")).digest("base64");
    expect(headers.signature).toEqual([`backstop=:${mac}:`]);
  });

  test("the server of this repository takes it", async () => {
    const [method, target = ""] = start.split(" ");
    const verdict = await verifyRequest(
      { method: method as "POST", target, headers, body: Buffer.from(body) },
      { audience: "game.example.internal", keys: [{ id: "k1", secret: createSecretKey(secret) }] },
    );
    expect(verdict).toMatchObject({ kind: "authentic", request: { keyId: "k1", expiresS: 1767225630 } });
  });
});

describe("configuration.md", () => {
  const NAME =
    /\b(?:(?:BACKSTOP|PERSISTENCE|SESSION_LIFECYCLE)_[A-Z_]+[A-Z]|DATABASE_URL|REDIS_URL|HOST|PORT|PUBLIC_ORIGIN|READ_ONLY|AUTH_MODE|STATEMENT_TIMEOUT_MS|PLAYWRIGHT_CHROMIUM)\b/g;
  const namesIn = (text: string) => new Set(text.match(NAME));
  const documented = new Set([...CONFIGURATION.matchAll(/^\| `([A-Z_]+)` \|/gm)].map((match) => match[1]));
  const SOURCES = [
    "lib/config.ts",
    "lib/config-engine.ts",
    "scripts/services/plan.ts",
    "scripts/services/state-dir.ts",
  ];

  test("every variable that the code reads is there, and no other", () => {
    const read = new Set(SOURCES.flatMap((file) => [...namesIn(readFileSync(file, "utf8"))]));
    expect([...read].filter((name) => !documented.has(name))).toEqual([]);
    const everywhere = namesIn(
      [...SOURCES, ...sourcesIn("scripts"), "next.config.mjs", "playwright.config.ts"]
        .map((file) => readFileSync(file, "utf8"))
        .join("\n"),
    );
    expect([...documented].filter((name) => name !== "CI" && !everywhere.has(name ?? ""))).toEqual([]);
  });
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes(".test."))
    .map((file) => join(folder, file));
}

function at(base: string, database: string): string {
  const changed = new URL(base);
  changed.pathname = `/${database}`;
  return changed.href;
}
