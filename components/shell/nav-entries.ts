import type { IconName } from "@/components/ui/icon-paths";

/** The pages that exist. An entry comes with its page; `key` follows `g`. */
export const NAV = [
  { href: "/", label: "Overview", short: "Overview", icon: "layout-dashboard", key: "o" },
  { href: "/dead-letters", label: "Dead letters", short: "Dead", icon: "inbox", key: "d" },
  { href: "/retries", label: "Retries & leases", short: "Retries", icon: "rotate-cw", key: "r" },
  { href: "/lists", label: "Redis lists", short: "Lists", icon: "database", key: "l" },
  { href: "/audit", label: "Audit", short: "Audit", icon: "scroll-text", key: "a" },
] as const satisfies readonly { href: string; label: string; short: string; icon: IconName; key: string }[];

/** How many stand in the bar of a phone, beside what opens the others. */
export const TABS = 4;

/** How many wait behind an entry, by its address; null or absent shows nothing. */
export type NavCounts = Partial<Record<(typeof NAV)[number]["href"], number | null>>;

/** `page` on the entry's own page, `true` below it. */
export function currentOf(href: string, path: string): "page" | "true" | undefined {
  if (path === href) return "page";
  return href !== "/" && path.startsWith(`${href}/`) ? "true" : undefined;
}
