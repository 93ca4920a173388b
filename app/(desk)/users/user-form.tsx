"use client";

import { useState } from "react";
import { ProblemCallout } from "@/app/(desk)/dead-letters/problem-callout";
import { useSend } from "@/app/(desk)/use-send";
import { changeRights, disableUser, enableUser, resetPassword, revokeSessions } from "@/app/(desk)/users/actions";
import { type RightsDraft, RightsFields } from "@/app/(desk)/users/rights-fields";
import { ShownOnce } from "@/app/(desk)/users/shown-once";
import { changeProblem } from "@/app/(desk)/users/user-problem";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import type { UserChanged } from "@/lib/auth/change-user";
import type { ActionResult } from "@/lib/auth/run-action";
import type { QueueName } from "@/lib/domain/queue";

type Props = {
  userId: string;
  username: string;
  rights: RightsDraft;
  disabled: boolean;
  queues: readonly QueueName[];
};

type Answer = ActionResult<UserChanged & { password?: string }>;

/** Everything that an admin can do with one account. Each button is one audited action. */
export function UserForm({ userId, username, rights, disabled, queues }: Props) {
  const { sending, problem, send } = useSend("always");
  const [draft, setDraft] = useState(rights);
  const [done, setDone] = useState<string | null>(null);
  const [password, setPassword] = useState<string | null>(null);
  const wait = sending ? "Sending" : null;
  const noQueue = draft.queues?.length === 0 ? "Choose at least one queue, or all." : null;

  async function run(said: string, answer: Promise<Answer>) {
    const ended = await send(answer, changeProblem);
    setPassword(ended?.password ?? null);
    setDone(ended && said);
  }

  const asked = { ...draft, queues: draft.queues as QueueName[] | null };
  return (
    <form
      className="acks narrow"
      aria-label={`Change ${username}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (wait === null && noQueue === null)
          void run(`${username} is changed`, changeRights({ userId, rights: asked }));
      }}
    >
      {password ? <ShownOnce what={`The new password of ${username}`} secret={password} /> : null}
      <ProblemCallout problem={problem} />
      {done ? <Callout tone="ok" title={done} /> : null}
      <RightsFields id="user" draft={draft} queues={queues} onChange={setDraft} />
      <Button type="submit" variant="primary" disabledReason={wait ?? noQueue}>
        Save role and limits
      </Button>
      <div className="row">
        <Button
          disabledReason={wait}
          onClick={() => void run(`The password of ${username} is reset`, resetPassword({ userId }))}
        >
          Reset password
        </Button>
        <Button
          disabledReason={wait}
          onClick={() => void run(`${username} is signed out everywhere`, revokeSessions({ userId }))}
        >
          End sessions and tokens
        </Button>
        {disabled ? (
          <Button disabledReason={wait} onClick={() => void run(`${username} is enabled`, enableUser({ userId }))}>
            Enable
          </Button>
        ) : (
          <Button disabledReason={wait} onClick={() => void run(`${username} is disabled`, disableUser({ userId }))}>
            Disable
          </Button>
        )}
      </div>
      <p className="faint">
        A change of the role, a reset, an end of sessions and disabling count at once, in every tab. The last three
        revoke API tokens, too; enabling brings none back.
      </p>
    </form>
  );
}
