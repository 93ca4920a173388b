import { cx } from "@/components/ui/cx";
import { ICON_PATHS, type IconName } from "@/components/ui/icon-paths";

/** A line icon in the colour of its text. Decoration: the word beside it, or the label of its control, carries the meaning. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg className={cx("i", className)} viewBox="0 0 24 24" aria-hidden="true">
      {ICON_PATHS[name]}
    </svg>
  );
}
