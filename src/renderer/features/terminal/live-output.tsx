/** What a command prints while it runs, in its card: the last lines, how much and for how long, a field to answer it, its own stop, and the way to its terminal. */
import { Square, SquareTerminal } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { formatBytes } from "../../base/words.ts";
import { Button } from "../../ui/button.tsx";
import { Elapsed } from "../../ui/elapsed.tsx";
import { LiveLines } from "./ansi-output.tsx";
import { type AnsiLine, createAnsiText } from "./ansi-text.ts";
import { followExecution, type OutputState, stopExecution, typeInto } from "./follow-execution.ts";
import { strings } from "./strings.ts";

type LiveOutputProps = { executionId: string; startedAt?: number; onOpenTerminal: () => void };

export function LiveOutput({ executionId, startedAt, onOpenTerminal }: LiveOutputProps) {
  const { lines, waitingForInput, bytes } = useLiveLines(executionId);
  return (
    <div className="flex flex-col gap-1.5 border-t border-line px-3 py-2">
      {lines.length > 0 ? (
        <LiveLines lines={lines} />
      ) : (
        <p className="text-sm text-ink-3">{strings.noOutput}</p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {waitingForInput && <Answer executionId={executionId} />}
        <span className="ml-auto text-sm text-ink-3 tabular-nums">
          {bytes > 0 && strings.printed(formatBytes(bytes))}
          {bytes > 0 && startedAt !== undefined && " · "}
          {startedAt !== undefined && <Elapsed since={startedAt} />}
        </span>
        <StopCommand executionId={executionId} />
        <Button small look="quiet" onClick={onOpenTerminal} className="[&_svg]:size-3.5">
          <SquareTerminal aria-hidden />
          {strings.openTerminal}
        </Button>
      </div>
    </div>
  );
}

/** Ends this command and not the turn: the agent is told, and goes on. */
function StopCommand({ executionId }: { executionId: string }) {
  const [stopping, setStopping] = useState(false);
  const stop = async () => {
    setStopping(true);
    await stopExecution(executionId);
    setStopping(false);
  };
  return (
    <Button small disabled={stopping} onClick={() => void stop()} className="[&_svg]:size-3">
      <Square aria-hidden />
      {strings.stopCommand}
    </Button>
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

type Live = { lines: readonly AnsiLine[]; waitingForInput: boolean; bytes: number };
const nothing: Live = { lines: [], waitingForInput: false, bytes: 0 };

function useLiveLines(executionId: string): Live {
  const [output, setOutput] = useState(nothing);
  useEffect(() => {
    const life = new AbortController();
    let text = createAnsiText();
    const listeners = {
      onOutput(data: string, { restart, waitingForInput, bytes = 0 }: OutputState) {
        if (restart) text = createAnsiText();
        text.write(data);
        const lines = text.lines();
        // The cursor stands on an empty line after each line feed; it is no output yet.
        setOutput({ lines: lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines, waitingForInput, bytes });
      },
      onGone: () => setOutput(nothing),
    };
    followExecution(executionId, listeners, life.signal);
    return () => life.abort();
  }, [executionId]);
  return output;
}
