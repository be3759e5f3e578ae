/** What a command prints while it runs, in its card: the last lines, a field to answer it, and the way to its terminal. */
import { SquareTerminal } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { LiveLines } from "./ansi-output.tsx";
import { type AnsiLine, createAnsiText } from "./ansi-text.ts";
import { followExecution, typeInto } from "./follow-execution.ts";
import { strings } from "./strings.ts";

type LiveOutputProps = { executionId: string; onOpenTerminal: () => void };

export function LiveOutput({ executionId, onOpenTerminal }: LiveOutputProps) {
  const { lines, waitingForInput } = useLiveLines(executionId);
  return (
    <div className="flex flex-col gap-1.5 border-t border-line px-3 py-2">
      {lines.length > 0 ? (
        <LiveLines lines={lines} />
      ) : (
        <p className="text-sm text-ink-3">{strings.noOutput}</p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {waitingForInput && <Answer executionId={executionId} />}
        <Button small look="quiet" onClick={onOpenTerminal} className="ml-auto [&_svg]:size-3.5">
          <SquareTerminal aria-hidden />
          {strings.openTerminal}
        </Button>
      </div>
    </div>
  );
}

function Answer({ executionId }: { executionId: string }) {
  const field = useRef<HTMLInputElement>(null);
  const give = (event: FormEvent) => {
    event.preventDefault();
    void typeInto(executionId, `${field.current?.value ?? ""}\r`);
    if (field.current) field.current.value = "";
  };
  return (
    <form onSubmit={give} className="flex flex-wrap items-center gap-2">
      <span role="status" className="text-sm text-warn">
        {strings.waitingForInput}
      </span>
      <input
        ref={field}
        aria-label={strings.input}
        placeholder={strings.inputHint}
        autoComplete="off"
        className="h-6 w-44 rounded-md border border-line-strong bg-surface px-2 font-mono text-sm"
      />
    </form>
  );
}

function useLiveLines(executionId: string) {
  const [output, setOutput] = useState<{ lines: readonly AnsiLine[]; waitingForInput: boolean }>({
    lines: [],
    waitingForInput: false,
  });
  useEffect(() => {
    const life = new AbortController();
    let text = createAnsiText();
    const listeners = {
      onOutput(data: string, { restart, waitingForInput }: { restart: boolean; waitingForInput: boolean }) {
        if (restart) text = createAnsiText();
        text.write(data);
        const lines = text.lines();
        // The cursor stands on an empty line after each line feed; it is no output yet.
        setOutput({ lines: lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines, waitingForInput });
      },
      onGone: () => setOutput({ lines: [], waitingForInput: false }),
    };
    followExecution(executionId, listeners, life.signal);
    return () => life.abort();
  }, [executionId]);
  return output;
}
