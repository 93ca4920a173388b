import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import { makeCharacter, payloadOf, REALM } from "./game";

/** One odd thing that a row may hold, as a whole payload and as what its columns are set to. */
export type Odd = { name: string; payload?: string; error?: string; columns?: Record<string, unknown> };

const MEGABYTE = 1_000_000;

/** A payload that decodes and could be requeued, with something more in it that nobody knows of. */
const extra = (characterId: string, text: string) =>
  payloadOf({ characterId, zoneId: "harbour" }).payload.replace(/^\{/, `{"odd":${text},`);

/** What rows can hold that no writer of ours would put there. Nothing in it must break a page, run, or change its bytes. */
export function oddRows(characterId: string): Odd[] {
  const script = '<script>window.pwned = 1</script><img src=x onerror="window.pwned = 2">';
  return [
    { name: "an unknown kind", columns: { job_kind: "render_tickets" } },
    { name: "a kind with markup in it", columns: { job_kind: script } },
    {
      name: "colours and a turned direction in kind and zone",
      columns: { job_kind: "\u001b[31mkind\u202e", zone_id: "\u001b[2Jzone\u202e" },
      payload: extra(characterId, '"\u202egnp.exe\u007f"'),
    },
    { name: "a null zone and a Chinese error", columns: { zone_id: null }, error: "错误 418 无法写入奖励" },
    { name: "a time that never comes", columns: { at: "infinity" } },
    { name: "a time before all others", columns: { at: "-infinity" } },
    { name: "the year 1 and an error of numbers", columns: { at: "0001-01-01T00:00:00Z" }, error: "80085 17 99" },
    { name: "negative attempts and an Arabic error", columns: { attempts: -7 }, error: "خطأ 12 تعذر الحفظ" },
    { name: "the largest count of attempts and no words", columns: { attempts: 2_147_483_647 }, error: "🐉🔥 ?! %_%" },
    { name: "an error of 1 MB with markup and colours", error: `${script}\u001b[31m\u202e${"x".repeat(MEGABYTE)}` },
    { name: "an error that is empty", error: "" },
    { name: "a payload of 20 MB", payload: extra(characterId, `"${"y".repeat(20 * MEGABYTE)}"`) },
    { name: "integers over 2^53", payload: extra(characterId, "[9007199254740993,-18446744073709551617,1e400]") },
    { name: "emoji and markup", payload: extra(characterId, `"🜂 👩‍👩‍👧 ${script.replaceAll('"', '\\"')}"`) },
    { name: "half a surrogate pair", payload: extra(characterId, '"\\ud800"') },
    { name: "100,000 levels of nesting", payload: extra(characterId, `${"[".repeat(100_000)}${"]".repeat(100_000)}`) },
    { name: "not JSON", payload: `{"payload": ${script}` },
    { name: "nothing at all", payload: "" },
  ];
}

/** A dead letter and a retry row for each odd thing; ids by its name. */
export async function insertOddRows(
  game: Pool,
): Promise<Map<string, { letterId: string; jobId: string; payload: string }>> {
  const made = new Map<string, { letterId: string; jobId: string; payload: string }>();
  const first = await makeCharacter(game, { name: "Odd 0" });
  for (const [index, odd] of oddRows(first).entries()) {
    const characterId = index === 0 ? first : await makeCharacter(game, { name: `Odd ${index}` });
    const [letterId, jobId] = [randomUUID(), randomUUID()];
    const own = oddRows(characterId)[index]?.payload;
    const payload = own ?? payloadOf({ characterId }).payload;
    const columns = { job_kind: "combat_rewards", zone_id: "harbour", attempts: 3, at: null, ...odd.columns };
    const values = [
      characterId,
      columns.job_kind,
      columns.zone_id,
      payload,
      columns.attempts,
      odd.error ?? "ERROR 55P03",
      columns.at,
    ];
    await game.query(
      `insert into persistence_job_dead_letters (dead_letter_id, retry_job_id, character_id, job_kind, realm_id, zone_id, payload,
         failed_attempts, error, dead_lettered_at)
       values ($8, gen_random_uuid(), $1, $2, '${REALM}', $3, $4, $5, $6, coalesce($7::timestamptz, clock_timestamp()))`,
      [...values, letterId],
    );
    await game.query(
      `insert into persistence_retry_jobs (retry_job_id, character_id, job_kind, realm_id, zone_id, payload, attempt_count, last_error,
         next_attempt_at, created_at, updated_at)
       values ($8, $1, $2, '${REALM}', $3, $4, $5, $6, 'infinity', coalesce($7::timestamptz, clock_timestamp()), clock_timestamp())`,
      [...values, jobId],
    );
    made.set(odd.name, { letterId, jobId, payload });
  }
  return made;
}
