import { parseArgs } from "node:util";
import { verifyAudit } from "@/lib/console/audit/verify";
import { createPool } from "@/lib/db/pg";
import { checkWords } from "@/lib/domain/audit-check";
import { headsOfLog } from "./audit/heads-of-log";
import { ownDatabaseUrl } from "./services/own-database";

/**
 * `npm run audit:verify`: looks at every row of the audit and names what is wrong. `--log FILE` (any number of times)
 * compares the heads that a log has seen; `--json` prints one JSON object a finding. Exit code 1 where anything is wrong,
 * 2 where it could not be looked at. It writes nothing.
 */
try {
  const { values } = parseArgs({ options: { log: { type: "string", multiple: true }, json: { type: "boolean" } } });
  const known = (await Promise.all((values.log ?? []).map(headsOfLog))).flat();
  const own = createPool({ url: ownDatabaseUrl(), application: "backstop-audit", max: 1, statementTimeoutMs: 60_000 });
  const check = await verifyAudit(own, known).finally(() => own.end());
  for (const finding of check.findings) {
    console.log(values.json ? JSON.stringify(finding) : `${finding.kind.padEnd(9)} ${finding.sentence}`);
  }
  const against = values.log ? `; heads in the log: ${known.length}` : "";
  if (!values.json) console.log(`${checkWords(check)}${against}. Newest head: ${check.head ?? "none"}`);
  process.exitCode = check.wrong > 0 ? 1 : 0;
} catch (error) {
  console.error(`The audit could not be verified: ${(error as Error).message}`);
  process.exitCode = 2;
}
