/** Every push button of the console; the look says how heavy the consequence is. */
import type { ComponentProps } from "react";
import { cx } from "./class-names.ts";
import { spellOut } from "./reveal-characters.ts";

/** `primary` signs something that waits for the person; the first choice of any other place is `strong`. */
export type ButtonLook = "primary" | "strong" | "plain" | "quiet" | "danger";

const looks: Record<ButtonLook, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:brightness-110",
  strong: "bg-raised text-ink border-ink hover:bg-hover",
  plain: "bg-raised text-ink border-line hover:bg-hover",
  quiet: "bg-transparent text-ink-2 border-transparent hover:bg-hover hover:text-ink",
  danger: "bg-bad text-on-bad border-transparent hover:brightness-110",
};

type ButtonProps = ComponentProps<"button"> & {
  look?: ButtonLook;
  small?: boolean;
  /** It can be pressed and says what is missing; it is greyed only after a moment, since that may pass by itself. */
  locked?: boolean;
};

const lockedLook =
  "data-locked:delay-150 data-locked:border-dashed data-locked:border-line data-locked:bg-sunken data-locked:text-ink-2";

export function Button({
  look = "plain",
  small = false,
  locked,
  className,
  type = "button",
  title,
  "aria-label": label,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      // Both may name what others named.
      title={title && spellOut(title)}
      aria-label={label && spellOut(label)}
      data-locked={locked || undefined}
      className={cx(
        "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium transition-colors",
        "disabled:opacity-55 disabled:pointer-events-none",
        small ? "h-6 px-2 text-sm roomy:h-8" : "h-7 px-2.5 roomy:h-10",
        looks[look],
        locked !== undefined && lockedLook,
        className,
      )}
    />
  );
}

type IconButtonProps = Omit<ButtonProps, "aria-label" | "title"> & {
  label: string;
  /** The key that does the same; the tooltip says it. */
  keyName?: string;
};

/** A square button with an icon; its label is its accessible name and its tooltip. */
export function IconButton({ label, keyName, className, ...rest }: IconButtonProps) {
  return (
    <Button
      look="quiet"
      {...rest}
      aria-label={label}
      title={keyName === undefined ? label : `${label} (${keyName})`}
      className={cx("size-7 p-0! roomy:h-10 roomy:w-9 [&_svg]:size-4", className)}
    />
  );
}
