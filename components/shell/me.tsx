import type { ReactNode } from "react";
import { initials } from "@/components/shell/initials";

/** Who is signed in. */
export type Person = { name: string; role: "viewer" | "operator" | "admin" };

const ROLE_WORDS: Record<Person["role"], string> = { viewer: "Viewer", operator: "Operator", admin: "Admin" };

/** Name and role, without a control: for the panel of a phone. */
export function MeLine({ me }: { me: Person }) {
  return (
    <>
      <span className="avatar" aria-hidden="true">
        {initials(me.name)}
      </span>
      <span className="lbl">
        <b>{me.name}</b>
        <small>{ROLE_WORDS[me.role]}</small>
      </span>
    </>
  );
}

/** The person's button, with `signOut` (a form) in the panel that it opens. */
export function Me({ me, signOut }: { me: Person; signOut: ReactNode }) {
  return (
    <>
      <button type="button" className="me" popoverTarget="me" data-tip-rail={`${me.name}, ${me.role}`}>
        <MeLine me={me} />
        <span className="vh">Account</span>
      </button>
      <div id="me" popover="auto" className="pop me-pop">
        {signOut}
      </div>
    </>
  );
}
