import { expect, it } from "vitest";
import type { ExecutionId, TurnId } from "../../shared/ids.ts";
import { addThread, openInMemory, threadId } from "../threads/testing/add-thread.ts";
import { createExecutionStore } from "./execution-store.ts";

it("names the one width with which a command that began may start (I8)", () => {
  const database = openInMemory();
  addThread(database, Date.now);
  const executions = createExecutionStore(database, Date.now);
  const started = (width: "read-only" | "outside" | undefined) => {
    const id = `exec-${width}` as ExecutionId;
    const call = { callKey: id, itemId: id, tool: "execute", what: "ls", args: {} };
    executions.start({ ...call, id, threadId, turnId: "turn" as TurnId, width });
    return (["read-only", "workspace", "workspace and git", "outside"] as const).filter((each) =>
      executions.isStarted(id, each),
    );
  };
  expect(started("read-only")).toEqual(["read-only"]);
  expect(started("outside")).toEqual(["outside"]);
  expect(started(undefined)).toEqual([]);
});

it("lists a thread's executions without reading what may be long", () => {
  const database = openInMemory();
  addThread(database, Date.now);
  const executions = createExecutionStore(database, Date.now);
  const id = "exec-1" as ExecutionId;
  const call = { callKey: id, itemId: id, tool: "execute", what: "ls", args: {} };
  executions.start({ ...call, id, threadId, turnId: "turn" as TurnId, width: undefined });
  executions.noteProcess(id, { pid: 1, processStarted: null, logPath: "/logs/1" });
  database.prepare("UPDATE executions SET args = 'nothing that can be read'").run();
  expect(executions.ofThread(threadId)).toEqual([{ id, state: "started", logPath: "/logs/1" }]);
});
