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
