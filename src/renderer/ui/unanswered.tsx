/** Stands where an answer of the host is to come or could not be shown: what happened, and a way to try again. */
import { TriangleAlert } from "lucide-react";
import { common } from "../base/common-strings.ts";
import { Button } from "./button.tsx";
import { ForeignText } from "./foreign-text.tsx";

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

type ErrorStateProps = { title: string; problem: string; onRetry?: () => void; retryLabel?: string };

export function ErrorState({ title, problem, onRetry, retryLabel = "Try again" }: ErrorStateProps) {
  return (
    <div role="alert" className="m-auto flex max-w-md flex-col items-center gap-2 p-6 text-center">
      <TriangleAlert className="size-6 text-bad" aria-hidden />
      <p className="font-semibold">{title}</p>
      <p className="text-ink-2">
        <ForeignText text={problem} lines />
      </p>
      {onRetry && <Button onClick={onRetry}>{retryLabel}</Button>}
    </div>
  );
}
