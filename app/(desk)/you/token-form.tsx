"use client";

import { type FormEvent, useState } from "react";
import { type Problem, problemOf } from "@/app/(desk)/action-problem";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { useSend } from "@/app/(desk)/use-send";
import { ShownOnce } from "@/app/(desk)/users/shown-once";
import { makeToken } from "@/app/(desk)/you/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { TextField } from "@/components/ui/field";

const UNDONE = { refused: "No token was made.", failed: "No token was made." };

/** Makes an API token of one's own and shows it this once. */
export function TokenForm() {
  const { sending, problem, send } = useSend();
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [read, setRead] = useState(true);
  const [mark, setMark] = useState(false);
  const [token, setToken] = useState<{ name: string; text: string } | null>(null);
  const missing = name.trim() === "" ? "Still needed: a name." : read || mark ? null : "Choose what it may do.";
  const stop = sending ? "Sending" : missing;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (stop !== null) return;
    const scopes = [...(read ? (["read"] as const) : []), ...(mark ? (["mark"] as const) : [])];
    const made = await send(makeToken({ name, scopes, days: Number(days) }), problemIn);
    if (made?.kind !== "made") return;
    setToken({ name, text: made.token });
    setName("");
  }

  return (
    <form className="acks narrow" aria-label="Make an API token" onSubmit={(event) => void submit(event)}>
      {token ? <ShownOnce what={`The token ${token.name}`} secret={token.text} /> : null}
      <ProblemCallout problem={problem} />
      <TextField
        label="Name"
        help="What it is for."
        autoComplete="off"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Days until it ends"
        type="number"
        min={1}
        max={366}
        value={days}
        onChange={(event) => setDays(event.target.value)}
      />
      <Checkbox
        label="May read what you may see, masked"
        checked={read}
        onChange={(event) => setRead(event.target.checked)}
      />
      <Checkbox
        label="May mark the charts, such as with a deploy"
        checked={mark}
        onChange={(event) => setMark(event.target.checked)}
      />
      <Button type="submit" disabledReason={stop}>
        Make token
      </Button>
    </form>
  );
}

function problemIn(result: Awaited<ReturnType<typeof makeToken>>): Problem | null {
  if (result.kind !== "ok") return problemOf(result, UNDONE);
  if (result.value.kind === "made") return null;
  return { title: "You have as many tokens as anybody may have.", detail: "Revoke one first." };
}
