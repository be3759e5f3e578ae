/** Answers the contract's calls about running commands: watching their terminal, typing into it and ending one. */
import { setTimeout as delay } from "node:timers/promises";
import type { Item } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import type { ExecutionId } from "../../../shared/ids.ts";
import { endOfFit } from "../../../shared/wire/json-bytes.ts";
import type { WatchableCommand } from "../../shell/running-command.ts";
import type { Shell } from "../../shell/shell.ts";
import type { ConsoleParts, HandlersOf } from "../console-parts.ts";
import { createPulse } from "../pulse.ts";

/** @returns a handler for each call about running commands. */
export function createExecutionHandlers({ shell, journal }: ConsoleParts): HandlersOf<"executions"> {
  function find(id: ExecutionId): WatchableCommand {
    const running = shell.find(id);
    if (!running) throw new ContractError("not-found", "This command has ended.", { field: "executionId" });
    return running;
  }
  return {
    "executions.watch": ({ executionId }, { signal }) =>
      watchExecution(shell, journal.underway, executionId, signal),
    "executions.write"({ executionId, data }) {
      find(executionId).write(data);
      return {};
    },
    async "executions.stop"({ executionId }) {
      await find(executionId).kill("stopped");
      return {};
    },
    "executions.resize"({ executionId, cols, rows }) {
      find(executionId).resize(cols, rows);
      return {};
    },
  };
}

const frameMs = 33;
const frameChars = 100_000;
const frameBytes = 400_000;

/** Terminal data in batches; while the client has no credit the command's output is held back, then cut. */
async function* watchExecution(
  shell: Shell,
  underway: ReadonlySet<ExecutionId>,
  id: ExecutionId,
  signal: AbortSignal,
): AsyncGenerator<Item<"executions.watch">> {
  // Between an execution's row and its process lies a look at the folder; whoever opens the terminal by then waits.
  while (!signal.aborted && underway.has(id) && !shell.find(id)) await delay(frameMs);
  const running = shell.find(id);
  if (!running) {
    yield* showLog(shell, id);
    return;
  }
  let buffer = "";
  let bytes = 0;
  let ended = false;
  let waitingForInput = false;
  const pulse = createPulse(frameMs);
  const subscription = running.subscribe((event) => {
    if (event.type === "output") {
      buffer += event.text;
      bytes += Buffer.byteLength(event.text);
    } else if (event.type === "skipped") {
      buffer += `\r\n… ${event.bytes} bytes skipped …\r\n`;
      bytes += event.bytes;
    } else if (event.type === "waitingForInput") waitingForInput = event.waiting;
    else ended = true;
    if (buffer.length > frameChars) subscription.pause();
    pulse.beat();
  });
  try {
    while (!signal.aborted) {
      await pulse.next(signal);
      const end = endOfFit(buffer, frameBytes);
      const data = buffer.slice(0, end);
      buffer = buffer.slice(end);
      if (buffer === "") subscription.resume();
      else pulse.beat();
      yield { data, state: ended && buffer === "" ? "ended" : "running", waitingForInput, bytes };
      if (ended && buffer === "") return;
    }
  } finally {
    subscription.close();
  }
}

/** The log of a command that has ended, in frames, and with the last of them how large it is. */
async function* showLog(shell: Shell, id: ExecutionId): AsyncGenerator<Item<"executions.watch">> {
  const log = await shell.readLog(id);
  const text = (log?.text ?? "").replaceAll("\n", "\r\n");
  for (let at = 0; ; ) {
    const end = endOfFit(text, frameBytes, at);
    const data = text.slice(at, end);
    at = end;
    if (at < text.length) yield { data, state: "running" };
    else {
      yield { data, state: "ended", ...(log && { bytes: log.bytes, lines: log.lines }) };
      return;
    }
  }
}
