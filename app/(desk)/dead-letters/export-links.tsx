import { buttonClass } from "@/components/ui/button-look";
import { Icon } from "@/components/ui/icon";
import { type Query, queryString } from "@/components/ui/query";

const FILES = [
  { word: "CSV", path: "/api/export/letters", format: "csv", tip: "The letters of this view, for a spreadsheet" },
  { word: "JSON", path: "/api/export/letters", format: "json", tip: "The letters of this view, for a program" },
  {
    word: "Timeline",
    path: "/api/export/timeline",
    format: undefined,
    tip: "What died and what was done within this time, in order, as Markdown",
  },
] as const;

/** This view as a file. Plain links: the browser itself keeps the download. */
export function ExportLinks({ query }: { query: Query }) {
  const filter = { ...query, view: undefined, after: undefined, before: undefined };
  return (
    <>
      {FILES.map(({ word, path, format, tip }) => (
        <a
          key={word}
          className={buttonClass({}, word)}
          href={path + queryString({ ...filter, format })}
          download
          data-tip={tip}
        >
          <Icon name="download" />
          <span>{word}</span>
        </a>
      ))}
    </>
  );
}
