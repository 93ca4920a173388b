import Link from "next/link";
import type { ReactNode } from "react";
import { type Connection, Connections } from "@/components/shell/connections";
import { initials } from "@/components/shell/initials";
import { Me, MeLine, type Person } from "@/components/shell/me";
import type { NavCounts } from "@/components/shell/nav-entries";
import { NavList } from "@/components/shell/nav-list";
import { Shortcuts } from "@/components/shell/shortcuts";
import { TabBar } from "@/components/shell/tab-bar";
import { DbClock } from "@/components/ui/db-clock";
import { Logo } from "@/components/ui/logo";
import { Tips } from "@/components/ui/tips";
import { Toasts } from "@/components/ui/toast";

/** The game that is looked at; `kind` under its name: `Production`, `Demo`. */
export type Environment = { name: string; kind: string };

type Props = {
  environment: Environment;
  counts?: NavCounts;
  connections: readonly Connection[];
  me: Person;
  /** Links about one's own account and the form that signs out; rendered once in the side navigation and once in the phone's panel. */
  signOut: ReactNode;
  /** The database clock of the reading behind this page; null when it could not be read. */
  nowMs: number | null;
  /** A page: its `TopBar`, then `<main id="main">`. */
  children: ReactNode;
};

/** The frame of every signed-in page. Belongs in the layout; the page brings its own `TopBar`. */
export function Shell({ environment, counts = {}, connections, me, signOut, nowMs, children }: Props) {
  const env = (
    <>
      <span className="envdot" aria-hidden="true">
        {initials(environment.name)}
      </span>
      <span className="lbl">
        <b>{environment.name}</b>
        <small>{environment.kind}</small>
      </span>
    </>
  );
  return (
    <DbClock atMs={nowMs}>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="shell">
        <nav className="side" aria-label="Main">
          <Link className="brand" href="/" prefetch={false} aria-label="Backstop, overview">
            <Logo />
            <span className="lbl">Backstop</span>
          </Link>
          <div className="env" data-tip-rail={`${environment.name}, ${environment.kind}`}>
            {env}
          </div>
          <NavList counts={counts} />
          <div className="sidefoot">
            <Connections connections={connections} />
            <Me me={me} signOut={signOut} />
          </div>
        </nav>
        <div className="page">{children}</div>
      </div>
      <TabBar
        counts={counts}
        more={
          <>
            <div className="env">{env}</div>
            <Connections connections={connections} />
            <div className="me">
              <MeLine me={me} />
              {signOut}
            </div>
          </>
        }
      />
      <Shortcuts />
      <Tips />
      <Toasts />
    </DbClock>
  );
}
