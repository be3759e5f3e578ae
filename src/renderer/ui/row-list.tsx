/** A list of rows with a line between them, in one frame. */
import type { ReactNode } from "react";
import { cx } from "./class-names.ts";

type RowListProps = {
  /** Its name for those who hear it, where no heading stands above it. */
  label?: string;
  className?: string;
  /** One `li` for each row. */
  children: ReactNode;
};

export function RowList({ label, className, children }: RowListProps) {
  return (
    <ul
      aria-label={label}
      className={cx("divide-y divide-line rounded-md border border-line bg-surface", className)}
    >
      {children}
    </ul>
  );
}
