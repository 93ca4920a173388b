import type { Pool } from "pg";
import { z } from "zod";
import { one, type Sql } from "@/lib/db/pg";
import type { Finding } from "@/lib/domain/preflight";
import type { StoreFacts } from "@/lib/internal-rpc/wire";

const CODE = "store_fit";

/**
 * What the desk's own connection shows. Its role may be read-only by its own setting, which says nothing of anybody
 * else: only a setting of the server or of the database counts.
 */
const OWN_VIEW: Sql = {
  name: "persistence_store_own_view",
  text: `select pg_is_in_recovery() as in_recovery,
      exists (select from pg_db_role_setting s left join pg_database d on d.oid = s.setdatabase
        where s.setrole = 0 and (s.setdatabase = 0 or d.datname = current_database())
          and s.setconfig && array['default_transaction_read_only=on', 'default_transaction_read_only=true',
            'default_transaction_read_only=1', 'default_transaction_read_only=yes'])
      or exists (select from pg_settings where name = 'default_transaction_read_only' and setting = 'on'
        and source in ('configuration file', 'command line', 'database', 'global')) as read_only`,
};
const OwnView = z.object({ in_recovery: z.boolean(), read_only: z.boolean() });
export type OwnView = z.output<typeof OwnView>;

/** How the desk's own connection sees the store. */
export function readOwnView(pool: Pool): Promise<OwnView> {
  return one(pool, OWN_VIEW, OwnView);
}

/**
 * Whether what a requeue writes can be written, and is kept. `facts` null: the game server does not tell how its store
 * is set, and the desk's own connection must do. A database that was set read-only just now is told by that alone:
 * the game server's connections are older.
 */
export function storeFit(facts: StoreFacts | null, own: OwnView): Finding {
  if (facts === null) return unwritable(own, "the desk's own connection") ?? taken("own");
  return (
    unwritable(facts, "the game server's connection") ??
    unwritable({ in_recovery: false, read_only: own.read_only }, "the desk's own connection") ??
    lossy(facts) ??
    taken("engine")
  );
}

function taken(seen: "own" | "engine"): Finding {
  return seen === "engine"
    ? { code: CODE, severity: "ok", title: "Postgres takes writes and keeps them", evidence: [] }
    : {
        code: CODE,
        severity: "ok",
        title: "Postgres takes writes",
        reason: "Seen on the desk's own connection: how the game server's is set cannot be told from here.",
        evidence: [],
      };
}

function unwritable({ in_recovery, read_only }: OwnView, where: string): Finding | null {
  if (!in_recovery && !read_only) return null;
  return {
    code: CODE,
    severity: "warn",
    title: `Nothing can be written: Postgres is ${in_recovery ? "in recovery" : "read-only"}`,
    reason: `${
      in_recovery
        ? "It is a replica, or has not finished recovering."
        : "default_transaction_read_only is on: a connection that is made from now on cannot write."
    } A requeue there fails and changes nothing.`,
    evidence: [
      { label: "in recovery", value: in_recovery ? "yes" : "no" },
      ...(in_recovery ? [] : [{ label: "read-only", value: "yes" }]),
      { label: "seen on", value: where },
    ],
    whatToDo: in_recovery
      ? "make sure that the game server writes to the primary."
      : "switch default_transaction_read_only off when that is meant to be over.",
    acknowledgement: "Postgres takes no writes on the connection that was looked at. I know that the requeue may fail.",
  };
}

function lossy({ fsync, full_page_writes, synchronous_commit }: StoreFacts): Finding | null {
  const off = [
    ...(fsync ? [] : ["fsync"]),
    ...(full_page_writes ? [] : ["full_page_writes"]),
    ...(synchronous_commit === "off" ? ["synchronous_commit"] : []),
  ];
  if (off.length === 0) return null;
  const names = off.length < 3 ? off.join(" and ") : `${off.slice(0, -1).join(", ")} and ${off.at(-1)}`;
  return {
    code: CODE,
    severity: "warn",
    title: `A crash may lose what is written: ${names} ${off.length === 1 ? "is" : "are"} off`,
    reason:
      off.length === 1 && off[0] === "synchronous_commit"
        ? "A commit is answered before it is on the disk. What was requeued last may be a dead letter again after a crash."
        : "After a crash the data may be damaged, not only late.",
    evidence: [
      { label: "fsync", value: fsync ? "on" : "off" },
      { label: "full_page_writes", value: full_page_writes ? "on" : "off" },
      { label: "synchronous_commit", value: synchronous_commit },
    ],
    whatToDo: "switch it on before much is requeued.",
    acknowledgement: "Postgres may lose this write in a crash. I accept that.",
  };
}
