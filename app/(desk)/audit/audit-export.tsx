import { buttonClass } from "@/components/ui/button-look";
import { Icon } from "@/components/ui/icon";
import { type Query, queryString } from "@/components/ui/query";

const FILES = [
  { word: "CSV", format: "csv", tip: "The rows of this view, for a spreadsheet" },
  { word: "JSON", format: "json", tip: "The rows of this view, for a program" },
] as const;

/** The rows of this view as a file. Plain links: the browser itself keeps the download. */
export function AuditExport({ query }: { query: Query }) {
  const filter = { ...query, after: undefined, before: undefined };
  return FILES.map(({ word, format, tip }) => (
    <a
      key={word}
      className={buttonClass({}, word)}
      href={`/api/export/audit${queryString({ ...filter, format })}`}
      download
      data-tip={tip}
    >
      <Icon name="download" />
      <span>{word}</span>
    </a>
  ));
}
