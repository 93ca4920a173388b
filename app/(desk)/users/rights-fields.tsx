"use client";

import { Checkbox } from "@/components/ui/checkbox";
import type { Role } from "@/lib/auth/role";

/** What a user may do, as it is being chosen. `queues`: null for all. */
export type RightsDraft = { role: Role; reveal: boolean; queues: readonly string[] | null };

const ROLE_WORDS: Record<Role, string> = {
  viewer: "Viewer: looks, changes nothing",
  operator: "Operator: requeues and resolves",
  admin: "Admin: also looks after users",
};

type Props = { id: string; draft: RightsDraft; queues: readonly string[]; onChange: (draft: RightsDraft) => void };

/** Role, reveal and the limit to queues. An admin may reveal and has no limit. */
export function RightsFields({ id, draft, queues, onChange }: Props) {
  const { role, reveal, queues: limit } = draft;
  const toggled = (name: string) =>
    limit === null ? [name] : limit.includes(name) ? limit.filter((each) => each !== name) : [...limit, name];
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-role`}>Role</label>
        <select
          id={`${id}-role`}
          className="input"
          value={role}
          onChange={(event) => onChange({ ...draft, role: event.target.value as Role })}
        >
          {Object.entries(ROLE_WORDS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </div>
      {role === "operator" ? (
        <Checkbox
          label="May reveal what is masked; each time is audited"
          checked={reveal}
          onChange={(event) => onChange({ ...draft, reveal: event.target.checked })}
        />
      ) : null}
      {role === "admin" ? null : (
        <fieldset className="acks">
          <legend className="flabel">Queues</legend>
          <Checkbox
            label="All queues"
            checked={limit === null}
            onChange={(event) => onChange({ ...draft, queues: event.target.checked ? null : queues.slice(0, 1) })}
          />
          {queues.map((name) => (
            <Checkbox
              key={name}
              label={name}
              checked={limit === null || limit.includes(name)}
              disabled={limit === null}
              onChange={() => onChange({ ...draft, queues: toggled(name) })}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}
