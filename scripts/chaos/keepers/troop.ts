import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { count, type Tally, violated } from "@/scripts/chaos/tally";
import { type KeeperOptions, type KeeperStores, startKeeper, type TestKeeper } from "@/scripts/testing/keeper";

export type Keeper = TestKeeper & { name: string; frozen: boolean };

export type Troop = {
  start(): Keeper;
  /** Those that nobody has killed. */
  living(): Keeper[];
  named(name: string): Keeper | null;
  /** Whether who holds a duty lives and is not frozen. */
  works(holder: string): boolean;
  /** Who holds a duty; null: nobody who lives. */
  holderOf(duty: string): Promise<Keeper | null>;
  /** SIGKILL. What the dead one held stays leased. */
  kill(keeper: Keeper): Promise<void>;
  /** As if the leases of a dead one had run out. */
  endLeases(keeper: Keeper): Promise<void>;
  end(): Promise<void>;
};

/** A holder is `host:process:random`. */
const processOf = (holder: string) => Number(holder.split(":").at(-2));

/** $1 process. */
const END_LEASES = "update backstop.duties set expires_at = '-infinity' where split_part(holder, ':', 2) = $1";

/** Keepers as processes. One that ends by itself is a violation. */
export function openTroop(
  stores: KeeperStores,
  { admin, tally, ...options }: { admin: pg.Pool; tally: Tally } & Pick<KeeperOptions, "env" | "program">,
): Troop {
  const living = new Map<string, Keeper>();
  let made = 0;
  const byHolder = (holder: string) =>
    [...living.values()].find(({ child }) => child.pid === processOf(holder)) ?? null;
  return {
    start() {
      made += 1;
      const name = `keeper-${made}`;
      const keeper: Keeper = { ...startKeeper(stores, { ...options, name }), name, frozen: false };
      living.set(name, keeper);
      keeper.child.once("exit", (code) => {
        if (!living.delete(name)) return;
        violated(tally, `${name} ended by itself with ${code}: ${keeper.output().slice(-500)}`);
      });
      return keeper;
    },
    living: () => [...living.values()],
    named: (name) => living.get(name) ?? null,
    works(holder) {
      const keeper = byHolder(holder);
      return keeper !== null && !keeper.frozen;
    },
    async holderOf(duty) {
      const { rows } = await admin.query(
        "select holder from backstop.duties where duty = $1 and expires_at > clock_timestamp()",
        [duty],
      );
      return rows.length === 0 ? null : byHolder(rows[0].holder);
    },
    async kill(keeper) {
      living.delete(keeper.name);
      await keeper.end("SIGKILL");
      count(tally, "keepers killed");
    },
    async endLeases({ child }) {
      const end = () => admin.query(END_LEASES, [String(child.pid)]);
      // A connection may have gone with a store that was killed just before.
      await end().catch(() => sleep(200).then(end));
    },
    async end() {
      const all = [...living.values()];
      living.clear();
      await Promise.all(all.map((keeper) => keeper.end("SIGKILL")));
    },
  };
}
