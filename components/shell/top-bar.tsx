import Link from "next/link";
import type { ReactNode } from "react";
import { Clock } from "@/components/shell/clock";
import { KeyboardHelp } from "@/components/shell/keyboard-help";
import { Search } from "@/components/shell/search";
import { ThemeToggle } from "@/components/shell/theme-toggle";
import { ClockReport } from "@/components/ui/db-clock";
import { Logo } from "@/components/ui/logo";

/** One step of the way to this page; the last is the page itself and has no `href`. */
export type Crumb = { label: string; href?: string; mono?: boolean };

type Props = {
  crumbs: readonly Crumb[];
  /** The database clock of this page's reading; null when it could not be read. */
  nowMs: number | null;
  /** What the list is searched for now. */
  query?: string;
  /** Controls of this page alone, before the clock. */
  children?: ReactNode;
};

/** Where one is, the search, the database clock, theme and help. Each page renders its own, inside `Shell`. */
export function TopBar({ crumbs, nowMs, query, children }: Props) {
  return (
    <header className="top">
      <ClockReport atMs={nowMs} />
      <Link className="brand-m" href="/" prefetch={false} aria-label="Backstop, overview">
        <Logo />
      </Link>
      <nav className="crumbs" aria-label="Breadcrumb">
        <ol>
          {crumbs.map(({ label, href, mono }) => (
            <li key={label} className={mono ? "mono" : undefined}>
              {href ? (
                <Link href={href} prefetch={false}>
                  {label}
                </Link>
              ) : (
                <span aria-current="page">{label}</span>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <div className="topright">
        <Search query={query} />
        {children}
        <Clock />
        <ThemeToggle />
        <KeyboardHelp />
      </div>
    </header>
  );
}
