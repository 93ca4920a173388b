"use client";

import { type FormEvent, useState } from "react";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { useSend } from "@/app/(desk)/use-send";
import { addAccount } from "@/app/(desk)/users/actions";
import { type RightsDraft, RightsFields } from "@/app/(desk)/users/rights-fields";
import { ShownOnce } from "@/app/(desk)/users/shown-once";
import { addProblem } from "@/app/(desk)/users/user-problem";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import type { QueueName } from "@/lib/domain/queue";

const START: RightsDraft = { role: "viewer", reveal: false, queues: null };

/** Adds a user. The first password is made by the desk and shown this once. */
export function AddUserForm({ queues }: { queues: readonly QueueName[] }) {
  const { sending, problem, send } = useSend();
  const [username, setUsername] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [rights, setRights] = useState(START);
  const [made, setMade] = useState<{ username: string; password: string } | null>(null);
  const missing = username.trim() === "" ? "a username" : displayName.trim() === "" ? "a name" : null;
  const stop = sending ? "Sending" : missing && `Still needed: ${missing}.`;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (stop !== null) return;
    const input = { username, displayName, rights: { ...rights, queues: rights.queues as QueueName[] | null } };
    const added = await send(addAccount(input), addProblem);
    if (added?.kind !== "added") return;
    setMade({ username, password: added.password });
    setUsername("");
    setDisplayName("");
    setRights(START);
  }

  return (
    <form className="acks narrow" aria-label="Add a user" onSubmit={(event) => void submit(event)}>
      {made ? <ShownOnce what={`The first password of ${made.username}`} secret={made.password} /> : null}
      <ProblemCallout problem={problem} />
      <TextField
        label="Username"
        help="Letters, digits, dots, dashes, underscores."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <TextField
        label="Name"
        help="Every action is recorded under it."
        autoComplete="off"
        value={displayName}
        onChange={(event) => setDisplayName(event.target.value)}
      />
      <RightsFields id="new" draft={rights} queues={queues} onChange={setRights} />
      <Button type="submit" variant="primary" disabledReason={stop}>
        Add user
      </Button>
    </form>
  );
}
