/** What stands where nothing is: says so, teaches one thing, and may offer the next step. */
import type { ReactNode } from "react";

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode };

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="m-auto flex max-w-md flex-col items-center gap-2 p-6 text-center">
      {icon && <span className="text-ink-3 [&_svg]:size-8 [&_svg]:stroke-[1.5]">{icon}</span>}
      <h2 className="text-lg font-semibold">{title}</h2>
      {children && <div className="text-ink-2">{children}</div>}
      {action && <div className="pt-2">{action}</div>}
    </div>
  );
}
