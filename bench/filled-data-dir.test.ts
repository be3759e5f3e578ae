/** What the measured hosts begin with is whole: nothing in it is ended at the start for want of the agents' memory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createApprovalStore } from "../src/main/approvals/approval-store.ts";
import { replaceLostMemory } from "../src/main/storage/lost-memory.ts";
import { openDatabase } from "../src/main/storage/open-database.ts";
import { fillDataDir } from "./filled-data-dir.ts";
import { fillUiData } from "./ui-data.ts";

it.each([
  ["start-up", (dir: string) => fillDataDir(dir, dir, { threads: 2, events: 10, pending: 1 })],
  ["the window", (dir: string) => fillUiData(dir, dir, { pending: 1, conversations: [] })],
])("the data that %s is measured with has a memory, and one approval waits", async (_name, fill) => {
  const dir = mkdtempSync(join(tmpdir(), "countersign-bench-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  fill(dir);
  const { database } = openDatabase(dir, Date.now);
  onTestFinished(() => void database.close());
  expect(await replaceLostMemory(dir, database, Date.now)).toBeUndefined();
  expect(createApprovalStore(database, Date.now, () => undefined).pending()).toHaveLength(1);
});
