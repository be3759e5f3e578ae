import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tableOf } from "../peers.ts";
import { findSides } from "./found.ts";
import type { Measured } from "./measure.ts";

const measured: Measured = {
  ...{ readyMs: 1234.5, firstCardMs: 1, restedCardMs: 2, visibleMs: 3, startMs: 4, startP95Ms: 5 },
  ...{ processorMs: 6, stepBytes: 7, firstMb: 8, lastMb: 9, manyVisibleMs: 10, manyStartP95Ms: 11 },
};
const peers = ["Claude Code", "Codex", "OpenCode", "Gemini CLI", "Qwen Code", "openwork"];

it("has a row for each peer where none is installed, and says why of each", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-no-peers-"));
  try {
    const [own, unconfined, ...others] = findSides({ folder, path: folder });
    expect(others.map(({ name }) => name)).toEqual(peers);
    expect([own!.missing, unconfined!.missing]).toEqual([undefined, undefined]);
    for (const { name, missing } of others) expect(missing).toContain(name);
    const { columns, rows } = tableOf([
      { side: own!, measured },
      ...others.map((side) => ({ side, why: side.missing! })),
    ]);
    expect(rows.map(([name]) => name!.replace(/ \S+$/, ""))).toEqual(["Countersign this", ...peers]);
    for (const row of rows) expect(row).toHaveLength(columns.length);
    expect(rows.map(([, ready]) => ready)).toEqual(["1230", ...peers.map(() => "—")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
