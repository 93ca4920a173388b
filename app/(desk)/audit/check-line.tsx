import Link from "next/link";
import { Banner } from "@/components/ui/banner";
import { Time } from "@/components/ui/time";
import type { LastCheck } from "@/lib/console/audit/check";
import { earlierCheckWords } from "@/lib/domain/audit-check";
import type { Reading } from "@/lib/domain/queue";

type Props = { check: Reading<LastCheck | null>; nowMs: number };
/** `limited`: who is limited to queues learns that something is wrong, and nothing of rows that are not theirs. */
type FindingsProps = Props & { limited: boolean };

/** When the whole audit was last looked at, and that nothing was wrong then, after the page's title. */
export function CheckLine({ check, nowMs }: Props) {
  if (check.kind !== "read") return <>when it was last checked could not be read</>;
  if (check.value === null) return <>not checked yet: the keeper checks it every night</>;
  return (
    <>
      checked <Time atMs={check.value.atMs} nowMs={nowMs} />: {earlierCheckWords(check.value)}
    </>
  );
}

const SHOWN = 5;

/** What the last check found wrong; nothing where nothing was. */
export function CheckFindings({ check, nowMs, limited }: FindingsProps) {
  if (check.kind !== "read" || !check.value || check.value.wrong === 0) return null;
  const { wrong, atMs } = check.value;
  const findings = limited ? [] : check.value.findings.slice(0, SHOWN);
  return (
    <Banner kind="partial">
      The check of <Time atMs={atMs} nowMs={nowMs} show="clock" /> found that the audit is not what was written.{" "}
      {findings.map(({ kind, id, sentence }) => (
        <span key={`${id} ${sentence}`}>
          {sentence}{" "}
          {kind === "removed" || kind === "truncated" ? null : (
            <>
              <Link className="link" href={`/audit/${id}`} prefetch={false}>
                Row {id}
              </Link>
              .{" "}
            </>
          )}
        </span>
      ))}
      {limited ? (
        "Who may see all queues can see where."
      ) : (
        <>
          {wrong > SHOWN ? `And ${(wrong - SHOWN).toLocaleString("en-US")} more: ` : "Each: "}
          <code>npm run audit:verify</code>
        </>
      )}
    </Banner>
  );
}
