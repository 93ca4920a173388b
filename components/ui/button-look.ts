import type { ReactNode } from "react";
import { cx } from "@/components/ui/cx";
import type { IconName } from "@/components/ui/icon-paths";

/** What buttons and links that look like one have in common. One `primary` per view. */
export type ButtonLook = {
  variant?: "primary" | "quiet" | "stop";
  size?: "sm" | "lg";
  wide?: boolean;
  icon?: IconName;
  iconEnd?: IconName;
};

/** A button without words is a square around its icon. */
export function buttonClass({ variant, size, wide, icon }: ButtonLook, children: ReactNode): string {
  return cx("btn", variant, size, wide && "wide", icon && !children && "icon");
}
