"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { currentOf, NAV, type NavCounts } from "@/components/shell/nav-entries";
import { Icon } from "@/components/ui/icon";

/** The entries of the side navigation; on the narrow rail their labels become tooltips. */
export function NavList({ counts }: { counts: NavCounts }) {
  const path = usePathname();
  return (
    <ul className="navlist">
      <NavItems entries={NAV} counts={counts} path={path} />
    </ul>
  );
}

type Items = { entries: readonly (typeof NAV)[number][]; counts: NavCounts; path: string };

export function NavItems({ entries, counts, path }: Items) {
  return entries.map(({ href, label, icon }) => (
    <li key={href}>
      <Link href={href} prefetch={false} aria-current={currentOf(href, path)} data-tip-rail={label}>
        <Icon name={icon} />
        <span className="lbl">{label}</span>
        <NavCount count={counts[href]} />
      </Link>
    </li>
  ));
}

/** The count beside an entry, with its meaning for those who hear it. */
export function NavCount({ count }: { count: number | null | undefined }) {
  if (!count) return null;
  return (
    <span className="cnt">
      {count.toLocaleString("en-US")}
      <span className="vh"> open</span>
    </span>
  );
}
