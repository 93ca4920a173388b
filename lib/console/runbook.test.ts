import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { entryOfError, FAULT_ENTRIES, FINDING_ENTRIES, STATE_ENTRIES } from "@/lib/domain/runbook";
import { readRunbook, renderRunbook } from "./runbook";

const { html, sections } = await readRunbook();
const entries = sections.filter(({ id }) => id !== "before-anything-else").flatMap((section) => section.entries);
const LINKED: string[] = [...new Set([...Object.values(STATE_ENTRIES), ...FINDING_ENTRIES, ...FAULT_ENTRIES])];

/** The part of the page that is of one entry. */
const bodyOf = (id: string) => html.split(`<h3 id="${id}">`)[1]?.split(/<h[23] /)[0] ?? "";

describe("the runbook", () => {
  it("has an entry for each state, each finding and each fault that the desk can link to, and no other", () => {
    expect(entries.map(({ id }) => id).toSorted()).toEqual(LINKED.toSorted());
  });

  it("has an entry for each code that a finding is given anywhere", () => {
    const folder = "lib/queues";
    const sources = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const findings = sources
      .filter((name) => name.endsWith(".ts") && !name.includes(".test."))
      .map((name) => readFileSync(`${folder}/${name}`, "utf8"))
      .filter((text) => /: Finding\b/.test(text));
    const codes = findings.flatMap((text) =>
      [...text.matchAll(/\b(?:code:|code =|CODE =) "([a-z_]+)"/g)].map(([, code]) => code),
    );
    expect(codes.length).toBeGreaterThan(10);
    expect([...new Set(codes)].filter((code) => !(FINDING_ENTRIES as readonly string[]).includes(code ?? ""))).toEqual(
      [],
    );
  });

  it("says in each entry what one sees, what it means, what to check, what to do and what not", () => {
    for (const { id } of entries) {
      const labels = [...bodyOf(id).matchAll(/<strong>(You see:|It means:|Check:|Do:|Do not)<\/strong>/g)].map(
        ([, label]) => label,
      );
      expect(labels, id).toEqual(["You see:", "It means:", "Check:", "Do:", "Do not"]);
    }
  });

  it("leads nowhere that is not: each link is to a page of the desk or to an entry", () => {
    const hrefs = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href ?? "");
    for (const href of hrefs) {
      if (href.startsWith("#")) expect(html).toContain(`id="${href.slice(1)}"`);
      else expect(href).toMatch(/^\/(retries|lists|dead-letters)?(\?|#|$)/);
    }
    expect(hrefs.filter((href) => href.startsWith("/")).length).toBeGreaterThan(10);
  });

  it("lets no HTML and no script address through, whatever is written in it", () => {
    const odd = renderRunbook(
      "## A\n\n### <b>x</b> {due-late}\n\n<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> [b](javascript:alert(1)) [c](//evil.example) ![d](x)\n\n```sql\n<i>\n```",
    ).html;
    expect(odd).not.toMatch(/<(script|img|b|i)\b/);
    expect(odd).not.toMatch(/href="(javascript|\/\/)/);
    expect(odd).toContain('<h3 id="due-late">');
  });
});

it("an error leads to the entry on its cause, where there is one", () => {
  expect(entryOfError('ERROR 23503: insert or update on table "x"')).toBe("catalog-row-missing");
  expect(entryOfError("ERROR 55P03: canceling statement due to lock timeout")).toBe("locked-rows");
  expect(entryOfError("poison: 3 leases lost without a recorded failure")).toBe("poison");
  expect(entryOfError("ERROR 40P01: deadlock detected")).toBeNull();
  expect(entryOfError("x".repeat(1_000_000))).toBeNull();
});
