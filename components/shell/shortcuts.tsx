"use client";

import { useRouter } from "next/navigation";
import { NAV } from "@/components/shell/nav-entries";
import { useShortcut } from "@/components/ui/keyboard";
import { copyText } from "@/components/ui/toast";

/** Keys that work on every page: `g` and a letter, `/`, `t`, `y`. Others live with what they act on. */
export function Shortcuts() {
  useShortcut("/", (event) => {
    event.preventDefault();
    document.getElementById("search")?.focus();
  });
  useShortcut("t", () => document.documentElement.toggleAttribute("data-abs-times"));
  useShortcut("y", () => void copyText(location.href, "Link copied"));
  return NAV.map(({ href, key }) => <GoTo key={key} href={href} letter={key} />);
}

function GoTo({ href, letter }: { href: string; letter: string }) {
  const router = useRouter();
  useShortcut(`g ${letter}`, () => router.push(href));
  return null;
}
