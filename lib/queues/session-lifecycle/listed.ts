import { createHash } from "node:crypto";
import type { ListedEntry } from "@/lib/domain/list-state";
import { markUnseen } from "@/lib/domain/unseen";
import { shownLabel } from "@/lib/queues/masked";
import { readCleanup } from "./cleanup";
import { readEntry } from "./envelope/entry";
import { readLetter } from "./envelope/letter";
import { mask, maskItem } from "./mask-item";
import type { Placed } from "./walk-list";

const ERROR_LISTED_MAX = 400;
const HASH_DIGITS = 12;

/** An entry as a list shows it: nothing of its payload but whose it is and what is planned. */
export function listedEntry({ bytes, place }: Placed): ListedEntry {
  const seen = readEntry(bytes);
  const base = { place, bytes: bytes.length, hash: hashOf(bytes), error: null };
  if (seen.kind === "odd") {
    const nothing = { id: null, attempts: null, atMs: null, requeuedFrom: null };
    return { ...base, ...nothing, ...saidOf(null), odd: seen.why };
  }
  const { id, attempts, enqueuedMs: atMs, requeuedFrom, item } = seen.value;
  return { ...base, odd: null, id, attempts, atMs, requeuedFrom, ...saidOf(item) };
}

/** As `listedEntry`, of the list of dead letters. */
export function listedLetter({ bytes, place }: Placed): ListedEntry {
  const { id, odd, attempts, diedMs: atMs, requeuedFrom, error, item } = readLetter(bytes);
  return {
    place,
    bytes: bytes.length,
    hash: hashOf(bytes),
    id,
    odd,
    attempts: odd === null ? attempts : null,
    atMs,
    requeuedFrom,
    error: markUnseen(mask(error, item)).slice(0, ERROR_LISTED_MAX),
    ...saidOf(item),
  };
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex").slice(0, HASH_DIGITS);

function saidOf(item: Buffer | null): Pick<ListedEntry, "plan" | "subjectId" | "subjectName"> {
  const seen = item && readCleanup(item);
  if (item === null || seen?.kind !== "read") return { plan: null, subjectId: null, subjectName: null };
  const { plan, characterId, characterName } = seen.value;
  const secrets = maskItem(item)?.secrets ?? [];
  return { plan, subjectId: shownLabel(characterId, secrets), subjectName: shownLabel(characterName, secrets) };
}
