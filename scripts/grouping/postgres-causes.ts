import type pg from "pg";
import type { Cause, Values } from "./cause";
import { text } from "./postgres-schema";

type Statement = [name: string, sql: (values: Values) => string | [sql: string, parameters: unknown[]]];

const character = (columns: string, values: string) => `insert into characters (${columns}) values (${values})`;

const CONSTRAINTS: Statement[] = [
  ["character's name is taken", (v) => character("character_id, name", `'${v.otherId}', ${text(v.name)}`)],
  ["character's id is taken", (v) => character("character_id, name", `'${v.id}', 'Nobody'`)],
  ["reward is in the ledger already", (v) => `insert into reward_ledger values ('${v.otherId}', '${v.id}', 5)`],
  ["seat is taken", (v) => `insert into seats values (${text(v.zone)}, ${v.number})`],
  [
    "character's zone is missing",
    (v) => `update characters set zone_id = ${text(v.zone)} where character_id = '${v.id}'`,
  ],
  ["rewarded character is missing", (v) => `insert into reward_ledger values (gen_random_uuid(), '${v.otherId}', 5)`],
  ["character has rewards", (v) => `delete from characters where character_id = '${v.id}'`],
  ["character without a zone", (v) => `update characters set zone_id = null where character_id = '${v.id}'`],
  [
    "character without a name",
    (v) => character("character_id, level, born", `'${v.otherId}', ${v.n + 1}, '${v.time}'`),
  ],
  ["reward without an amount", (v) => `insert into reward_ledger values ('${v.otherId}', '${v.id}', null)`],
  ["level out of its range", (v) => `update characters set level = ${v.number + 60} where character_id = '${v.id}'`],
  ["gold below zero", (v) => `update characters set gold = -${v.number} where character_id = '${v.id}'`],
  ["reward of nothing", (v) => `update reward_ledger set amount = 0 where ledger_id = '${v.otherId}'`],
  ["booking overlaps", (v) => `insert into bookings values ('[${v.number}, ${v.number + 3})')`],
  ["no partition for the day", (v) => `insert into samples values ('${v.time}', ${v.number})`],
  ["novice beyond the view", (v) => `update novices set level = ${10 + v.n} where character_id = '${v.id}'`],
  ["value outside of its domain", (v) => `select (-${v.number})::positive`],
  ["generated column is written", (v) => `update characters set power = ${v.number}`],
  ["row policy refuses the row", (v) => `set local role engine; insert into guarded values (${text(v.name)})`],
  [
    "row is hit twice by one upsert",
    (v) =>
      `insert into seats values ('x', ${v.number}), ('x', ${v.number}) on conflict (realm_id, slot) do update set slot = 1`,
  ],
];

const TYPES: Statement[] = [
  ["text is no integer", (v) => [`select $1::int`, [v.name]]],
  ["text is no uuid", (v) => [`select $1::uuid`, [`${v.word}-${v.number}`]]],
  ["text is no bigint", (v) => [`select $1::bigint`, [`${v.number}.5`]]],
  ["text is no numeric", (v) => [`select $1::numeric`, [v.zone]]],
  ["text is no boolean", (v) => [`select $1::boolean`, [v.word]]],
  ["text is no timestamp", (v) => [`select $1::timestamptz`, [`soon ${v.name}`]]],
  ["date does not exist", (v) => [`select $1::date`, [`20${20 + v.n}-13-4${v.n}`]]],
  ["text is no interval", (v) => [`select $1::interval`, [v.zone]]],
  ["text is no address", (v) => [`select $1::inet`, [`10.0.${300 + v.n}.1`]]],
  ["text is no mood", (v) => [`select $1::mood`, [v.word]]],
  ["text is no array", (v) => [`select $1::int[]`, [v.name]]],
  ["text is no range", (v) => [`select $1::int4range`, [v.word]]],
  ["range is upside down", (v) => [`select int4range($1, $2)`, [v.number, v.number - 3]]],
  ["json with a stray word", (v) => [`select $1::jsonb`, [`{"gold": ${v.number}, "zone": ${v.word}}`]]],
  ["json is cut off", (v) => [`select $1::jsonb`, [`{"gold": ${v.number}, "zone": ${JSON.stringify(v.zone)}`]]],
  ["json with a zero character", (v) => [`select $1::jsonb`, [`{"name": "${v.word}\\u0000"}`]]],
  ["json object is taken for a number", (v) => [`select ($1::jsonb -> 'zone')::int`, [`{"zone": "${v.word}"}`]]],
  ["text with a zero byte", (v) => [`select $1::text`, [`${v.name}\0`]]],
  [
    "bytes are no UTF-8",
    (v) => `select convert_from('\\x${["ff", "c328", "e28228", "fe41", "f0288cbc"][v.n]}', 'UTF8')`,
  ],
  ["character has no place in LATIN1", (v) => `select convert_to('${["李", "ж", "🗡", "ł", "א"][v.n]}', 'LATIN1')`],
  ["hex with a wrong digit", (v) => `select decode('${["zz", "0g", "x1", "!0", "q9"][v.n]}', 'hex')`],
  ["pattern is no regular expression", (v) => [`select 'x' ~ $1`, [`(${v.word}`]]],
  [
    "name too long for its column",
    (v) => `update characters set name = 'Sir ${v.word} ${v.number} the Long' where character_id = '${v.id}'`,
  ],
  ["rank too long for its column", (v) => `update characters set rank = '${v.word}'`],
  ["time zone is unknown", (v) => [`select now() at time zone $1`, [`Realm/${v.word}`]]],
  ["year is no number", (v) => [`select to_date($1, 'YYYY')`, [v.word]]],
  ["uuid column is compared with text", () => `select 1 from characters where character_id = 'x'::text`],
  ["case of two types", (v) => `select case when true then ${v.number} else array[1] end`],
];

const NUMBERS: Statement[] = [
  ["division by zero", (v) => `select ${v.number} / 0`],
  ["integer sum overflows", (v) => `select 2147483647 + ${v.number}`],
  ["bigint sum overflows", (v) => `select 9223372036854775807 + ${v.number}`],
  ["text is beyond integer", (v) => [`select $1::int`, [`9999999${v.number}9999`]]],
  ["number is beyond smallint", (v) => `update reward_ledger set amount = 40000 + ${v.number}`],
  ["luck beyond its precision", (v) => `update characters set luck = ${v.number + 1000}`],
  ["text is beyond double precision", (v) => [`select $1::float8`, [`${v.number}e400`]]],
  ["root of a negative number", (v) => `select sqrt(-${v.number}::numeric)`],
  ["logarithm of zero", (v) => `select ln(0 * ${v.number}::numeric)`],
  ["limit below zero", (v) => [`select 1 limit $1`, [-v.number]]],
  ["length below zero", (v) => [`select substr($1, 1, -2)`, [v.name]]],
  ["timestamp beyond its range", (v) => `select '${v.time}'::timestamptz + interval '${300_000 + v.n} years'`],
];

const MISSING: Statement[] = [
  ["table guild_bank is missing", (v) => `select * from guild_bank where id = ${v.number}`],
  ["table quest_log is missing", (v) => `select * from quest_log where name = ${text(v.name)}`],
  ["column mana is missing", (v) => `update characters set mana = ${v.number}`],
  ["column stamina is missing", (v) => `select stamina from characters where character_id = '${v.id}'`],
  ["function grant_reward is missing", (v) => `select grant_reward('${v.id}'::uuid)`],
  ["function settle_quest is missing", (v) => `select settle_quest(${v.number})`],
  ["type weather is missing", (v) => [`select $1::weather`, [v.word]]],
  ["schema lore is missing", (v) => `create table lore.page (id int default ${v.number})`],
  ["role auditor is missing", () => `set local role auditor`],
  ["operator is missing", (v) => `select ${text(v.name)}::text * ${v.number}`],
  ["cursor is missing", (v) => `fetch from cursor_${v.number}`],
  ["prepared statement is missing", (v) => `execute statement_${v.number}`],
  ["savepoint is missing", (v) => `rollback to savepoint sp_${v.word}`],
  ["parameter is unknown", (v) => `set local retry_limits = ${v.number}`],
  ["extension is unknown", () => `create extension moonphase`],
  ["value in place of an expression", (v) => `insert into seats values ('x', 1 ${v.word})`],
  [
    "column is ambiguous",
    (v) => `select character_id from characters join reward_ledger using (character_id), novices where level = ${v.n}`,
  ],
  ["column is not grouped", (v) => `select name, count(*) from characters where gold > ${v.number} group by level`],
  ["subquery gives several rows", (v) => `select (select name from characters where gold < ${v.number})`],
  [
    "conflict target has no constraint",
    (v) => `insert into secret_vault values (${v.number}) on conflict (id) do nothing`,
  ],
  ["table is there already", () => `create table characters (id int)`],
  ["too few parameters", (v) => [`select $1::int + $2::int`, [v.number]]],
];

const RIGHTS: Statement[] = [
  ["no right to read secret_vault", (v) => `set local role engine; select 1 from secret_vault where id = ${v.number}`],
  ["no right to read gm_notes", (v) => `set local role engine; select 1 from gm_notes where id = ${v.number}`],
  ["no right to use the vault", (v) => `set local role engine; select 1 from vault.gems where id = ${v.number}`],
  ["no right to refuse", (v) => `set local role engine; select refuse('x', ${text(v.name)}, '')`],
  ["no right to draw a ticket", () => `set local role engine; select nextval('ticket_numbers')`],
  ["not the table's owner", (v) => `set local role engine; alter table gm_notes add c_${v.word} int`],
  ["insert while read-only", (v) => `set transaction read only; insert into gm_notes values (${v.number})`],
  ["update while read-only", (v) => `set transaction read only; update gm_notes set id = ${v.number}`],
];

const RAISED: Statement[] = [
  ["raised: character is not in realm", (v) => [`select refuse('realm', $1, $2)`, [v.id, `eu-${v.n}`]]],
  ["raised: item cannot be equipped", (v) => [`select refuse('quoted', $1, $2)`, [v.word, v.name]]],
  ["raised: zone is full", (v) => [`select refuse('full', $1, $2)`, [v.zone, 16 + v.n]]],
  ["raised: version is older", (v) => [`select refuse('version', $1, $2)`, [v.number, v.number + 2]]],
  ["raised: realm is closed", (v) => [`select refuse('since', $1, '')`, [v.time]]],
  ["raised: assertion of a balance", (v) => [`select refuse('assert', $1, $2)`, [v.id, -v.number]]],
  ["recursion without an end", (v) => [`select recurse($1)`, [v.number]]],
  ["statement takes too long", (v) => `set local statement_timeout = ${5 + v.n}; select pg_sleep(5)`],
];

/** What one statement of one session runs into. Each runs in a transaction of its own, which is rolled back. */
export function postgresCauses(client: pg.Client): Cause[] {
  return [CONSTRAINTS, TYPES, NUMBERS, MISSING, RIGHTS, RAISED].flat().map(([name, sql]) => ({
    name,
    async fail(values) {
      const statement = sql(values);
      await client.query("begin");
      try {
        await (typeof statement === "string" ? client.query(statement) : client.query(...statement));
      } finally {
        await client.query("rollback");
      }
    },
  }));
}
