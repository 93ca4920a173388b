import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { makeZone, payloadOf } from "./game";
import type { WorkKind } from "./kind-bodies";

/** What the rewards need and the catalog lacks, until somebody mends it. */
export const LOST_ZONES = ["ashfall-caldera", "ashfall-deep", "cinder-reach"];
const LOST_ITEMS = ["emberblade_1", "emberblade_2", "emberblade_3", "emberblade_4"];

/** How many letters died of the three causes, together. */
export const INCIDENT_LETTERS = 2_000;
const CHARACTERS = 1_100;

const missing = (table: string, constraint: string, column: string, value: string, catalog: string) =>
  `ERROR 23503: insert or update on table "${table}" violates foreign key constraint "${constraint}"\n` +
  `DETAIL: Key (${column})=(${value}) is not present in table "${catalog}".`;
const one = (names: readonly string[], n: number) => names[n % names.length] ?? "";

type Cause = {
  kind: WorkKind;
  letters: number;
  /** The first and the last of them died so long ago. */
  minutesAgo: [first: number, last: number];
  /** Whose it is, by number: the first ones each of another character. */
  character: (n: number) => number;
  zone?: (n: number) => string;
  item?: (n: number) => string;
  error: (n: number) => string;
};

const noZone = (n: number) =>
  missing("reward_ledger", "reward_ledger_zone_id_fkey", "zone_id", one(LOST_ZONES, n), "zone_catalog");
const noItem = (n: number) =>
  missing("character_equipment", "character_equipment_item_id_fkey", "item_id", one(LOST_ITEMS, n), "item_catalog");

/** The incident: three causes, each of a kind of its own. */
const CAUSES: [Cause, Cause, Cause] = [
  {
    kind: "combat_rewards",
    letters: 1_200,
    minutesAgo: [50, 20],
    character: (n) => (n < 900 ? n : 900 + (n % 60)),
    zone: (n) => one(LOST_ZONES, n),
    error: noZone,
  },
  {
    kind: "character_equipment",
    letters: 500,
    minutesAgo: [45, 12],
    character: (n) => (n < 300 ? n : 300 + (n % 20)),
    item: (n) => one(LOST_ITEMS, n),
    error: noItem,
  },
  {
    kind: "gameplay_state",
    letters: 300,
    minutesAgo: [30, 10],
    character: (n) => 1_000 + (n % 100),
    error: (n) => `ERROR 57014: canceling statement due to statement timeout after ${8_000 + n} ms`,
  },
];

/** What died before it and is no part of it: of one of its causes earlier on, and of another days ago. */
const BEFORE: Cause[] = [
  {
    kind: "combat_rewards",
    letters: 40,
    minutesAgo: [150, 125],
    character: (n) => 960 + n,
    zone: (n) => one(LOST_ZONES, n),
    error: noZone,
  },
  {
    kind: "character_location",
    letters: 5,
    minutesAgo: [2_900, 2_880],
    character: (n) => n,
    error: (n) => `ERROR 40P01: deadlock detected in the vault, process ${4_000 + n} waits`,
  },
];

/** Ids of its letters by cause, in the order in which they died. */
export type Incident = { rewards: string[]; equipment: string[]; state: string[] };

/** Writes an incident into the game's own store, as a game server would have left it: up to ten minutes ago. */
export async function makeIncident(engine: Pool): Promise<Incident> {
  await makeZone(engine, "harbour", "Harbour");
  const characters = Array.from({ length: CHARACTERS }, (_, n) => ({ id: randomUUID(), realm: realmOf(n) }));
  await engine.query(
    `insert into characters (character_id, realm_id, name, version, zone_id, position_x, position_y, position_z)
     select id, realm, 'Wanderer ' || n, 7, 'harbour', 1, 2, 3 from unnest($1::uuid[], $2::text[]) with ordinality as c(id, realm, n)`,
    [characters.map(({ id }) => id), characters.map(({ realm }) => realm)],
  );
  for (const cause of BEFORE) await makeLetters(engine, cause, characters);
  const [rewards, equipment, state] = CAUSES;
  return {
    rewards: await makeLetters(engine, rewards, characters),
    equipment: await makeLetters(engine, equipment, characters),
    state: await makeLetters(engine, state, characters),
  };
}

const realmOf = (n: number) => (n % 5 === 0 ? "realm-2" : "realm-1");

/** One statement, on the store's clock. Answers the letters' ids, the first that died first. */
async function makeLetters(
  engine: Pool,
  cause: Cause,
  characters: readonly { id: string; realm: string }[],
): Promise<string[]> {
  const { kind, letters, minutesAgo, zone = () => "harbour", item, error } = cause;
  const [first, last] = minutesAgo;
  const rows = Array.from({ length: letters }, (_, n) => {
    const { id: characterId, realm: realmId } = characters[cause.character(n)] ?? { id: "", realm: "" };
    const write = { kind, characterId, realmId, zoneId: zone(n), ...(item ? { itemId: item(n) } : {}) };
    return {
      ...write,
      id: randomUUID(),
      payload: payloadOf(write).payload,
      error: error(n),
      attempts: 3 + (n % 6),
      // Not on whole milliseconds, and no two of one cause at one instant.
      secondsAgo: 60 * (first + ((last - first) * n) / (letters - 1)) - n * 0.000_137,
    };
  });
  await engine.query(
    `insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, job_kind, character_id, realm_id, zone_id, payload,
       failed_attempts, error, dead_lettered_at)
     select id, gen_random_uuid(), $1, character_id, realm, zone, payload, attempts, error, clock.now - make_interval(secs => ago)
       from (select clock_timestamp() as now) as clock, unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[],
         $7::int[], $8::text[], $9::float8[]) as l(id, character_id, realm, zone, payload, attempts, error, ago)`,
    [
      kind,
      rows.map(({ id }) => id),
      rows.map(({ characterId }) => characterId),
      rows.map(({ realmId }) => realmId),
      rows.map(({ zoneId }) => zoneId),
      rows.map(({ payload }) => payload),
      rows.map(({ attempts }) => attempts),
      rows.map((row) => row.error),
      rows.map(({ secondsAgo }) => secondsAgo),
    ],
  );
  return rows.map(({ id }) => id);
}
