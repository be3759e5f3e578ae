/** What stands where something could not be shown: what happened, and a way to try again. */

import { TriangleAlert } from "lucide-react";
import { Button } from "./button.tsx";
import { ForeignText } from "./foreign-text.tsx";

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
