import { parseArgs } from "node:util";
import { verifyAudit } from "@/lib/console/audit/verify";
import { createPool } from "@/lib/db/pg";
import { type AuditFinding, checkWords } from "@/lib/domain/audit-check";
import { escapeUnseen, markUnseen } from "@/lib/domain/unseen";
import { headsOfLog } from "./audit/heads-of-log";
import { ownDatabaseUrl } from "./services/own-database";

const USAGE = `npm run audit:verify                          every row of the audit, and what is wrong with it
npm run audit:verify -- --log FILE            compared with the heads in a log, too; any number of times
npm run audit:verify -- --json                a JSON array of what is wrong; [] where nothing is
Ends with 0 where nothing is wrong, 1 where anything is, 2 where it could not be looked at or no log held a head.`;

/** One finding a line, in one array. */
const json = (findings: readonly AuditFinding[]) =>
  findings.length === 0 ? "[]" : `[\n${findings.map((each) => escapeUnseen(JSON.stringify(each))).join(",\n")}\n]`;
const told = ({ kind, sentence }: AuditFinding) => `${kind.padEnd(9)} ${markUnseen(sentence)}`;

/** `npm run audit:verify`: looks at every row of the audit and names what is wrong, as `USAGE` says. It writes nothing. */
async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      log: { type: "string", multiple: true },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const logs = await Promise.all((values.log ?? []).map(async (file) => ({ file, heads: await headsOfLog(file) })));
  const known = logs.flatMap(({ heads }) => heads);
  const own = createPool({ url: ownDatabaseUrl(), application: "backstop-audit", max: 1, statementTimeoutMs: 60_000 });
  const check = await verifyAudit(own, known).finally(() => own.end());
  if (values.json) console.log(json(check.findings));
  else {
    for (const finding of check.findings) console.log(told(finding));
    const against = values.log ? `; heads in the log: ${known.length}` : "";
    console.log(`${checkWords(check)}${against}. Newest head: ${check.head ?? "none"}`);
  }
  const empty = logs.filter(({ heads }) => heads.length === 0);
  for (const { file } of empty) {
    console.error(`No head is in ${file}: the audit was not compared with it.`);
  }
  if (check.wrong > 0) return 1;
  // One log of several may well hold none: the keeper seldom writes a row.
  return values.log && known.length === 0 ? 2 : 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(`The audit could not be verified: ${(error as Error).message}`);
  process.exitCode = 2;
}
