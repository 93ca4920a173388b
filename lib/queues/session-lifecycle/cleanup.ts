import { isUtf8 } from "node:buffer";
import { odd, type Seen } from "@/lib/db/json-fields";
import { sourceAt, stringAt, type Token, tokens } from "@/lib/domain/source-json";

/** A larger item is not looked into: it is stored whole and requeued whole. Bytes. */
export const ITEM_READ_MAX = 1_048_576;

export const PLANS = ["reconnectable", "permanent_removal", "confirmed_transfer"] as const;
export type PlanName = (typeof PLANS)[number];

/** What an item says of itself (`RealtimeStreamCleanup`). `token` must not leave the code that looks it up. */
export type Cleanup = {
  token: string | null;
  characterId: string | null;
  characterName: string | null;
  realmId: string | null;
  zoneId: string | null;
  profile: string | null;
  /** Null: none that this desk knows. */
  plan: PlanName | null;
  transferConfirmed: boolean;
  /** A confirmed transfer, or a plan that requests it. */
  deletesLedger: boolean;
};

/** Reads an item by its own characters. */
export function readCleanup(item: Buffer): Seen<Cleanup> {
  if (item.length > ITEM_READ_MAX) return odd("too large to look into");
  if (item.length === 0) return odd("empty");
  if (!isUtf8(item)) return odd("not UTF-8");
  const all = tokens(item.toString("utf8"));
  if (all === null) return odd("not JSON");
  // Of a key that occurs twice the last value counts, as for the engine.
  const last = all.toReversed();
  const plan = planOf(last);
  const transferConfirmed = sourceAt(last, "transfer_activation_confirmed") === "true";
  const asked = sourceAt(last, "plan.delete_resume_ledger") === "true";
  return {
    kind: "read",
    value: {
      token: stringAt(last, "session_token") || null,
      characterId: textAt(last, "player.character_id"),
      characterName: textAt(last, "player.character_name"),
      realmId: textAt(last, "player.realm_id"),
      zoneId: textAt(last, "player.zone_id"),
      profile: textAt(last, "runtime_profile"),
      plan,
      transferConfirmed,
      deletesLedger: transferConfirmed || asked || plan === "permanent_removal" || plan === "confirmed_transfer",
    },
  };
}

/** A number is an id as well, by its own characters. */
function textAt(all: Token[], path: string): string | null {
  const source = sourceAt(all, path);
  if (source === null || source === "null") return null;
  return (source.startsWith('"') ? stringAt(all, path) : source) || null;
}

/** The plan's name: a string, or the one under `kind`, in whatever case its writer spells it. */
function planOf(all: Token[]): PlanName | null {
  const said = (stringAt(all, "plan") ?? stringAt(all, "plan.kind") ?? "").toLowerCase().replace(/[^a-z]/g, "");
  return PLANS.find((plan) => plan.replace("_", "") === said) ?? null;
}
