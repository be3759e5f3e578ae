/** Who wrote what a call gave back: only what is known to come from here is the workspace's. */
import { expect, it } from "vitest";
import { sourceOfResult } from "./read-text.ts";

const trusted = { isTrusted: true, readsOnlyHere: true };
const file = { file_path: "src/app.ts" };

it("knows the workspace, the person and secrets, and takes everything else for outside", () => {
  const source = (tool: string, args: Record<string, unknown>, known = trusted) =>
    sourceOfResult({ tool, args, ...known });
  expect([source("read_file", file), source("grep", { pattern: "x" })]).toEqual(["workspace", "workspace"]);
  expect(source("execute", { command: "cat a" })).toBe("workspace");
  const asked = { ...trusted, readsOnlyHere: false };
  expect(source("read_file", { file_path: "/elsewhere/a.txt" }, asked)).toBe("outside");
  expect(source("ask_human", { question: "Where to?" })).toBe("person");
  expect(source("read_file", { file_path: "sub/.env" })).toBe("secret");
  const untrusted = { ...trusted, isTrusted: false };
  expect([source("read_file", file, untrusted), source("execute", {}, untrusted)]).toEqual([
    "outside",
    "outside",
  ]);
  expect(source("execute", { command: "gh issue view 1" }, { ...trusted, readsOnlyHere: false })).toBe(
    "outside",
  );
  for (const tool of ["fetch_url", "web_search", "mcp__docs__search", "task", "never heard of"])
    expect(source(tool, {}), tool).toBe("outside");
});
