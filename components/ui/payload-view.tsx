"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useShortcut } from "@/components/ui/keyboard";
import { type Line, type Masked, type Part, payloadLines } from "@/components/ui/payload-lines";
import { copyText } from "@/components/ui/toast";
import { markUnseen } from "@/lib/domain/unseen";

const FIRST_LINES = 400;

type Props = {
  /** Laid-out source text with secrets masked. */
  text: string;
  /** The text as it is stored, with secrets masked. */
  raw: string;
  masked: readonly Masked[];
  /** Top-level fields that a requeue would write. */
  mark?: readonly string[];
  /** Heading of the section, with what stands beside it. */
  heading: ReactNode;
};

/** A payload by its own characters, laid out or raw, with chips where secrets are. `c` copies what is shown. */
export function PayloadView({ text, raw, masked, mark, heading }: Props) {
  const [view, setView] = useState<"json" | "raw">("json");
  const [whole, setWhole] = useState(false);
  const lines = payloadLines(view === "json" ? text : raw, masked, view === "json" ? mark : []);
  const shown = whole ? lines : lines.slice(0, FIRST_LINES);
  const copy = () =>
    void copyText(
      view === "json" ? text : raw,
      masked.length > 0 ? "Payload copied without redacted fields" : "Payload copied",
    );
  useShortcut("c", copy);
  return (
    <>
      <div className="sechead">
        {heading}
        <span className="end">
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form; these two only choose a view. */}
          <span className="seg" role="group" aria-label="Payload view">
            <button type="button" aria-pressed={view === "json"} onClick={() => setView("json")}>
              JSON
            </button>
            <button type="button" aria-pressed={view === "raw"} onClick={() => setView("raw")}>
              Raw
            </button>
          </span>
          <Button variant="quiet" size="sm" icon="copy" aria-label="Copy payload" onClick={copy} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: preformatted text, named so that its focus says what it is. */}
      <pre
        role="region"
        className={view === "raw" ? "code wrap" : "code"}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={`Payload, ${view === "json" ? "JSON" : "raw"}`}
      >
        <code>
          {shown.map((line) => (
            <LineView key={line.number} line={line} />
          ))}
        </code>
      </pre>
      {shown.length < lines.length ? (
        <Button size="sm" onClick={() => setWhole(true)}>
          Show all {lines.length.toLocaleString("en-US")} lines
        </Button>
      ) : null}
    </>
  );
}

function LineView({ line }: { line: Line }) {
  return (
    <span className={line.marked ? "ln2 hl" : "ln2"}>
      {line.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move.
        <PartView key={index} part={part} />
      ))}
      {"\n"}
    </span>
  );
}

function PartView({ part }: { part: Part }) {
  if (part.kind !== "redacted") return <span className={`j-${part.kind}`}>{markUnseen(part.text)}</span>;
  return (
    <span className="redact">
      <Icon name="eye-off" />
      {part.text.replace(/^"‹|›"$/g, "")}
    </span>
  );
}
