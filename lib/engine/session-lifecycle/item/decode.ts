import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { readFields } from "@/lib/db/json-fields";
import type { Decoded } from "@/lib/engine/durable/redis-work-queue";
import { parseJson } from "@/lib/engine/persistence-retry/payload/json";
import { decimalText, storableText } from "@/lib/engine/persistence-retry/payload/values";
import type { RealtimeStreamCleanup } from "./cleanup";
import { SessionLifecycleEffectPlan } from "./effect-plan";

/** As game servers spell them: `permanent_removal`, `PermanentRemoval`. */
const plan = z.preprocess(
  (given) => (typeof given === "string" ? given.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase() : given),
  SessionLifecycleEffectPlan,
);

const Item = z.object({
  session_token: z.string().min(1).max(4_096),
  player: z.object({
    character_id: z.guid().toLowerCase(),
    character_name: storableText(200),
    realm_id: storableText(200),
    zone_id: storableText(200),
    position: z.object({ x: decimalText, y: decimalText, z: decimalText }),
  }),
  runtime_profile: storableText(200),
  resume_ledger: z.looseObject({}).nullish(),
  transfer_activation_confirmed: z.boolean(),
  plan,
  stream_id: z.string().min(1).max(200).nullish(),
});

const refuse = (why: string) => ({ ok: false as const, error: `parse error: ${why.slice(0, 1_000)}` });

function ledgerIn(bytes: Buffer) {
  const seen = readFields(bytes);
  return seen.kind === "read" ? seen.value.get("resume_ledger") : undefined;
}

/** Looks at an item's bytes. Never throws: what does not decode says why, without any value of the item. */
export function decodeCleanup(bytes: Buffer): Decoded<RealtimeStreamCleanup> {
  if (bytes.length === 0) return refuse("empty: there are no bytes");
  if (!isUtf8(bytes)) return refuse("not UTF-8");
  let raw: unknown;
  try {
    raw = parseJson(bytes.toString());
  } catch (error) {
    return refuse(`not JSON: ${(error as Error).message}`);
  }
  const parsed = Item.safeParse(raw);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "item"}: ${message}`);
    return refuse(issues.join("; "));
  }
  const { player, ...item } = parsed.data;
  // Its own characters, not what a parser makes of them.
  const ledger = item.resume_ledger ? ledgerIn(bytes) : null;
  if (ledger === undefined) return refuse("resume_ledger: its field stands twice");
  return {
    ok: true,
    value: {
      sessionToken: item.session_token,
      player: {
        characterId: player.character_id,
        characterName: player.character_name,
        realmId: player.realm_id,
        zoneId: player.zone_id,
        position: player.position,
      },
      runtimeProfile: item.runtime_profile,
      resumeLedger: ledger === null ? null : Buffer.from(ledger.text, "latin1").toString("utf8"),
      transferActivationConfirmed: item.transfer_activation_confirmed,
      plan: item.plan,
      streamId: item.stream_id ?? null,
    },
  };
}
