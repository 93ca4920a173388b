import { markUnseen } from "@/lib/domain/unseen";

/** An id as lists shorten it: enough at each end to tell two apart by eye. */
export function shortId(id: string): string {
  return markUnseen(id.length > 13 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id);
}

/** The end of a worker's name: workers of one deployment differ there. */
export function shortOwner(owner: string): string {
  return markUnseen(owner.length > 10 ? `…${owner.slice(-6)}` : owner);
}
