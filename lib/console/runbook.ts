import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Marked, type Tokens } from "marked";

export type RunbookEntryHead = { id: string; title: string };
export type RunbookSection = { id: string; title: string; entries: RunbookEntryHead[] };
export type Runbook = { html: string; sections: RunbookSection[] };

const FILE = join("docs", "runbook.md");
/** `### Title {anchor}` */
const HEADING = /^(.*?)\s*\{([a-z_-]+)\}$/;

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const slug = (text: string) => text.toLowerCase().replace(/[^a-z]+/g, "-");

/** A heading's text without its anchor, and the anchor. */
function headOf(text: string): RunbookEntryHead {
  const [, title = text, id = slug(text)] = HEADING.exec(text) ?? [];
  return { id, title };
}

/**
 * The runbook as HTML, and what is in it. The file is the project's own; still no HTML in it passes through, and no
 * link but to a page of the desk, an entry or https.
 */
export function renderRunbook(markdown: string): Runbook {
  const sections: RunbookSection[] = [];
  const marked = new Marked({
    renderer: {
      heading({ depth, text }: Tokens.Heading) {
        const head = headOf(text);
        if (depth === 1) return "";
        if (depth === 2) sections.push({ ...head, entries: [] });
        else sections.at(-1)?.entries.push(head);
        const link = `<a href="#${head.id}" aria-label="Link to ${escaped(head.title)}">#</a>`;
        return `<h${depth} id="${head.id}">${escaped(head.title)}${depth === 3 ? ` ${link}` : ""}</h${depth}>`;
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        return /^(\/(?!\/)|#|https:\/\/)/.test(href) ? `<a class="link" href="${escaped(href)}">${text}</a>` : text;
      },
      // A box that scrolls must be reachable by keyboard.
      code: ({ text }: Tokens.Code) =>
        `<pre tabindex="0" role="region" aria-label="Query"><code>${escaped(text)}\n</code></pre>`,
      image: ({ text }: Tokens.Image) => escaped(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, sections };
}

let known: Promise<Runbook> | null = null;

/** The runbook of this version, read once. Throws when the file is not there. */
export function readRunbook(): Promise<Runbook> {
  known ??= readFile(FILE, "utf8").then(renderRunbook);
  known.catch(() => {
    known = null;
  });
  return known;
}
