import Link from "next/link";
import type { ReactNode } from "react";
import { type ButtonLook, buttonClass } from "@/components/ui/button-look";
import { Icon } from "@/components/ui/icon";
import { Keycap } from "@/components/ui/keycap";

type Props = ButtonLook & { href: string; children?: ReactNode; shortcut?: string; "aria-label"?: string };

/** A link that looks like a button: it goes somewhere and changes nothing. */
export function LinkButton({ href, icon, iconEnd, children, shortcut, variant, size, wide, ...rest }: Props) {
  return (
    <Link
      href={href}
      prefetch={false}
      aria-label={rest["aria-label"]}
      data-tip={rest["aria-label"]}
      className={buttonClass({ variant, size, wide, icon }, children)}
    >
      {icon ? <Icon name={icon} /> : null}
      {children ? <span>{children}</span> : null}
      {iconEnd ? <Icon name={iconEnd} /> : null}
      {shortcut ? <Keycap>{shortcut}</Keycap> : null}
    </Link>
  );
}
