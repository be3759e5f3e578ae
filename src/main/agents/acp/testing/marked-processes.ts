/** The processes of an outer agent, as its tests find them. */
import type { ThreadId } from "../../../../shared/ids.ts";
import { listProcesses } from "../../../shell/process-table.ts";

/** Every process that carries the thread's mark. */
export async function processesOf(threadId: ThreadId): Promise<number[]> {
  const table = await listProcesses();
  if (table === "no answer") throw new Error("The system does not list its processes.");
  return table.filter((row) => row.executionId?.startsWith(`outer-${threadId}-`)).map(({ pid }) => pid);
}
