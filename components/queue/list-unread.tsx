import type { ReactNode } from "react";
import { ReadAgain } from "@/components/queue/read-again";
import { ReadWhenBack } from "@/components/queue/read-when-back";
import { RunbookLink } from "@/components/queue/runbook-link";
import { ErrorPanel } from "@/components/ui/error-panel";

/** Postgres's code for a query that was cancelled at its time limit: the one case in which asking for less helps. */
const TOO_LONG = "57014";

type Props = {
  title: string;
  sentence: string;
  code: string;
  /** What to ask for instead of what took too long. */
  narrow?: ReactNode;
};

const FILTERS = "The filters above still work: a narrower one reads less.";

/** The list could not be read; what stands around it goes on. */
export function ListUnread({ title, sentence, code, narrow = FILTERS }: Props) {
  const entry =
    code === "not_readable" || code === "42501" ? "missing-right" : code === TOO_LONG ? null : "postgres-away";
  return (
    <ErrorPanel heading="h2" title={title} code={code} actions={<ReadAgain label="Try again" />}>
      {sentence}
      {entry ? (
        <>
          {" "}
          <RunbookLink entry={entry} about="what to do" />
        </>
      ) : null}
      {code === TOO_LONG ? <> {narrow}</> : <ReadWhenBack />}
    </ErrorPanel>
  );
}
