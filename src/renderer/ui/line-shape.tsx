/** The frame of a small shape drawn in lines of the text's colour; whoever draws it says in words beside it what it means. */
import type { ComponentProps } from "react";
import { cx } from "./class-names.ts";

export function LineShape({ className, ...rest }: ComponentProps<"svg">) {
  return (
    <svg
      {...rest}
      aria-hidden="true"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx("size-3.5 shrink-0", className)}
    />
  );
}
