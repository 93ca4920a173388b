"use client";

import { type FormEvent, useState } from "react";
import { type Problem, problemOf } from "@/app/(desk)/action-problem";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { useSend } from "@/app/(desk)/use-send";
import { changePassword } from "@/app/(desk)/you/actions";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { TextField } from "@/components/ui/field";
import { duration } from "@/lib/domain/time";

const UNDONE = { refused: "Your password was not changed.", failed: "Your password was not changed." };

/** One's own new password. Every other session ends. */
export function PasswordForm({ username }: { username: string }) {
  const { sending, problem, send } = useSend();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [done, setDone] = useState(false);
  const missing = current === "" ? "your present password" : next === "" ? "a new password" : null;
  const stop = sending ? "Sending" : missing && `Still needed: ${missing}.`;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (stop !== null) return;
    if (!(await send(changePassword({ current, next }), problemIn))) return;
    setDone(true);
    setCurrent("");
    setNext("");
  }

  return (
    <form className="acks narrow" aria-label="Change your password" onSubmit={(event) => void submit(event)}>
      {done ? (
        <Callout tone="ok" title="Your password is changed">
          Your other sessions have ended.
        </Callout>
      ) : null}
      <ProblemCallout problem={problem} />
      <input type="hidden" autoComplete="username" value={username} />
      <TextField
        label="Present password"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <TextField
        label="New password"
        help="At least 12 characters, of any kind."
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.target.value)}
      />
      <Button type="submit" disabledReason={stop}>
        Change password
      </Button>
    </form>
  );
}

function problemIn(result: Awaited<ReturnType<typeof changePassword>>): Problem | null {
  if (result.kind !== "ok") return problemOf(result, UNDONE);
  const { value } = result;
  switch (value.kind) {
    case "changed":
      return null;
    case "no_match":
      return { title: "That is not your present password." };
    case "signed_out":
      return { title: UNDONE.refused, detail: "Your session is over. Sign in to go on." };
    case "wait":
      return {
        title: "Too many tries did not match.",
        detail: `The next try is in ${duration(Math.ceil(value.waitMs / 1_000) * 1_000)}.`,
      };
    default:
      return value satisfies never;
  }
}
