/** Stands where an answer of the host is to come: that it is on its way, or what went wrong and a way to try again. */
import { common } from "../base/common-strings.ts";
import { ErrorState } from "./error-state.tsx";

type UnansweredProps = {
  /** What could not be had, once it failed. */
  title: string;
  problem: string | undefined;
  onRetry: () => void;
  loading?: string;
  className?: string;
};

export function Unanswered({
  title,
  problem,
  onRetry,
  loading = common.loading,
  className = "text-ink-3",
}: UnansweredProps) {
  if (problem) return <ErrorState title={title} problem={problem} onRetry={onRetry} />;
  return (
    <p role="status" className={className}>
      {loading}
    </p>
  );
}
