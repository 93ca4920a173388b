import { type ButtonHTMLAttributes, type ReactNode, useId } from "react";
import { type ButtonLook, buttonClass } from "@/components/ui/button-look";
import { Icon } from "@/components/ui/icon";
import { Keycap } from "@/components/ui/keycap";

type Props = ButtonLook &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, "disabled" | "className"> & {
    children?: ReactNode;
    /** Key that does the same, shown as a keycap. */
    shortcut?: string;
    /** Why it cannot be pressed now. It stays focusable and says so; it neither submits nor calls `onClick`. */
    disabledReason?: string | null;
  };

/** A button. Without `children`, give `aria-label`: it is then a square with its icon. */
export function Button({ icon, iconEnd, children, shortcut, disabledReason, variant, size, wide, ...rest }: Props) {
  const reasonId = useId();
  const off = disabledReason != null;
  return (
    <>
      <button
        {...rest}
        type={off ? "button" : (rest.type ?? "button")}
        onClick={off ? undefined : rest.onClick}
        aria-disabled={off || undefined}
        aria-describedby={off ? reasonId : rest["aria-describedby"]}
        data-tip={disabledReason || rest["aria-label"]}
        className={buttonClass({ variant, size, wide, icon }, children)}
      >
        {icon ? <Icon name={icon} /> : null}
        {children ? <span>{children}</span> : null}
        {iconEnd ? <Icon name={iconEnd} /> : null}
        {shortcut ? <Keycap>{shortcut}</Keycap> : null}
      </button>
      {off ? (
        <span id={reasonId} className="vh">
          {disabledReason}
        </span>
      ) : null}
    </>
  );
}
