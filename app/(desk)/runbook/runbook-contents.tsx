import type { RunbookSection } from "@/lib/console/runbook";

/** Every entry, to be reached with one press. */
export function RunbookContents({ sections }: { sections: readonly RunbookSection[] }) {
  return (
    <nav className="toc" aria-label="Contents">
      <ol>
        {sections.map(({ id, title, entries }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
            {entries.length > 0 ? (
              <ol>
                {entries.map((entry) => (
                  <li key={entry.id}>
                    <a href={`#${entry.id}`}>{entry.title}</a>
                  </li>
                ))}
              </ol>
            ) : null}
          </li>
        ))}
      </ol>
    </nav>
  );
}
