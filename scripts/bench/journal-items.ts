import { randomUUID } from "node:crypto";

/** An item as long as a cleanup of a session, some 600 bytes. */
export function journalItem(n: number): Buffer {
  return Buffer.from(
    JSON.stringify({
      session_token: randomUUID(),
      player: {
        character_id: randomUUID(),
        character_name: `Traveller ${n}`,
        realm_id: "aurelia",
        zone_id: "harbour",
        position: { x: n / 7, y: 12.5, z: -3 },
      },
      runtime_profile: "realtime-stream-v2",
      resume_ledger: { issued_at: "2026-11-14T03:29:08.412Z", sequence: n, token: randomUUID() },
      transfer_activation_confirmed: false,
      plan: { kind: "reconnectable", persist_resume_ledger: true, persist_location: true, refresh_presence: true },
      n,
    }),
  );
}

/** As the queue writes it. */
export const journalEntry = (n: number): Buffer =>
  Buffer.from(
    `{"entry_id":"${randomUUID()}","attempts":0,"enqueued_at":"2026-11-14T03:29:08.412Z","item":${journalItem(n)}}`,
  );

export const journalLetter = (deadLetterId: string, n: number): Buffer =>
  Buffer.from(
    `{"dead_letter_id":"${deadLetterId}","entry_id":"${randomUUID()}","failed_attempts":8,` +
      `"error":"connect ECONNREFUSED 10.0.4.17:5432","dead_lettered_at":"2026-11-14T03:29:08.412Z","item":${journalItem(n)}}`,
  );

/** Reads an item as its worker would. */
export const decodeItem = (item: Buffer) => ({
  ok: true as const,
  value: JSON.parse(item.toString()) as { n: number },
});
