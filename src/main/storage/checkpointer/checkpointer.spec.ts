/** Runs the upstream validation suite of checkpoint savers; it needs vitest's globals, hence a project of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { validate } from "@langchain/langgraph-checkpoint-validation";
import { createCheckpointer } from "./create-checkpointer.ts";
import type { LinearSqliteSaver } from "./linear-sqlite-saver.ts";

validate<LinearSqliteSaver>({
  checkpointerName: "LinearSqliteSaver",
  createCheckpointer: () =>
    createCheckpointer(join(mkdtempSync(join(tmpdir(), "checkpointer-")), "checkpoints.db")),
  destroyCheckpointer(checkpointer) {
    checkpointer.close();
    rmSync(dirname(checkpointer.db.name), { recursive: true, force: true });
  },
});
