"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { currentOf, NAV, type NavCounts, TABS } from "@/components/shell/nav-entries";
import { NavCount, NavItems } from "@/components/shell/nav-list";
import { Icon } from "@/components/ui/icon";

/** The navigation of a phone: the first entries, and the others and `more` in a panel above them. */
export function TabBar({ counts, more }: { counts: NavCounts; more: ReactNode }) {
  const path = usePathname();
  return (
    <nav className="tabbar" aria-label="Main, compact">
      <ul>
        {NAV.slice(0, TABS).map(({ href, short, icon }) => (
          <li key={href}>
            <Link href={href} prefetch={false} aria-current={currentOf(href, path)}>
              <Icon name={icon} />
              <span>{short}</span>
              <NavCount count={counts[href]} />
            </Link>
          </li>
        ))}
        <li>
          <button type="button" popoverTarget="more">
            <Icon name="menu" />
            <span>More</span>
          </button>
        </li>
      </ul>
      <div id="more" popover="auto" className="pop sheetup">
        <ul className="navlist">
          <NavItems entries={NAV.slice(TABS)} counts={counts} path={path} />
        </ul>
        {more}
      </div>
    </nav>
  );
}
