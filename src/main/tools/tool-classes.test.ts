import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createToolClasses, judgeToolClass } from "./tool-classes.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tool-classes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("holds for the tool as it was described, also after a restart, until it is taken back", () => {
  const folder = makeFolder();
  createToolClasses(folder).set("mcp__a__b", "as-shown", "reads");
  const classes = createToolClasses(folder);
  expect(classes.classOf("mcp__a__b", "as-shown")).toBe("reads");
  expect(classes.classOf("mcp__a__b", "other")).toBeUndefined();
  expect(classes.classOf("mcp__a__b", undefined)).toBeUndefined();
  expect(classes.classOf("toString", "as-shown")).toBeUndefined();
  classes.set("mcp__a__b", "as-shown", undefined);
  expect(classes.classOf("mcp__a__b", "as-shown")).toBeUndefined();
});

it("says nothing of any tool when its file is broken", () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "tool-classes.json"), "{");
  expect(createToolClasses(folder).classOf("mcp__a__b", "d")).toBeUndefined();
});

it("lets only a tool run of which a person said that it reads", () => {
  expect(judgeToolClass("t", "reads").verdict).toBe("covered");
  expect(judgeToolClass("t", "changes").verdict).toBe("new");
  expect(judgeToolClass("t", undefined).verdict).toBe("new");
});
