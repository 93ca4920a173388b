import { markUnseen } from "@/lib/domain/unseen";

/** What somebody typed, a reason or a note: in a direction of its own, and with everything in it seen. */
export function Typed({ children }: { children: string }) {
  return <bdi>{markUnseen(children)}</bdi>;
}
