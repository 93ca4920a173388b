import { auditFilter, readAuditQuery } from "@/app/(desk)/audit/audit-query";
import { download, fileStamp } from "@/app/api/export/download";
import { routeGuard } from "@/lib/auth/route";
import { ExportFormat } from "@/lib/console/archive/export";
import { readArchiveClock } from "@/lib/console/archive/read-review";
import { exportAudit } from "@/lib/console/audit/export";
import { readDatabaseClock } from "@/lib/console/overview/read";
import { pools } from "@/lib/db/pools";

const TYPES: Record<ExportFormat, string> = { csv: "text/csv", json: "application/json" };

/** The rows of a filter as a file: `format` csv or json, the rest as in the address of the page. */
export const GET = routeGuard("viewer", async ({ request, who }) => {
  const params = Object.fromEntries(new URL(request.url).searchParams);
  const format = ExportFormat.catch("csv").parse(params.format);
  const { own } = pools();
  const nowMs = (await readDatabaseClock()) ?? (await readArchiveClock(own)) ?? 0;
  const filter = auditFilter(readAuditQuery(params), nowMs, who);
  return download(exportAudit(own, filter, format), `audit-${fileStamp(nowMs)}.${format}`, TYPES[format]);
});
