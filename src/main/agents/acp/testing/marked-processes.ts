/** The processes of an outer agent, as its tests find them. */
import type { ThreadId } from "../../../../shared/ids.ts";
import { listProcesses } from "../../../shell/process-table.ts";

/** The program of the thread's agent, which this process started; other runs on this machine have marks like it. */
export async function programOf(threadId: ThreadId): Promise<number> {
  const own = (await marked(threadId)).find(({ parent }) => parent === process.pid);
  if (own === undefined) throw new Error("No program of this thread runs.");
  return own.pid;
}

/** Every process that carries the thread's mark. */
export async function processesOf(threadId: ThreadId): Promise<number[]> {
  return (await marked(threadId)).map(({ pid }) => pid);
}

async function marked(threadId: ThreadId) {
  const table = await listProcesses();
  if (table === "no answer") throw new Error("The system does not list its processes.");
  return table.filter((row) => row.executionId?.startsWith(`outer-${threadId}-`));
}
