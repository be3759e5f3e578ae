/** What a person is offered to mention, from a real folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ConsoleParts } from "../console-parts.ts";
import { createWorkspaceHandlers } from "./workspaces.ts";

it("files that may hold secrets by name are counted and not offered, wherever they lie", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "mention-"));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  for (const path of [
    ".env",
    "deep/.env.local",
    ".ssh/config",
    "deep/key.pem",
    "env.ts",
    "deep/environment.md",
  ]) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), "");
  }
  // A stand-in for the thread's row, of which the search knows the folder only.
  const parts = { options: {}, threads: { get: () => ({ workspace }) } } as unknown as ConsoleParts;
  const ask = (query: string) =>
    createWorkspaceHandlers(parts)["files.search"]({ threadId: "t" as never, query, limit: 30 }, {
      signal: new AbortController().signal,
    } as never);
  expect(await ask("env")).toEqual({ paths: ["env.ts", "deep/environment.md"], secrets: 2 });
  expect((await ask("")).paths.filter((path) => /ssh|pem|\.env/.test(path))).toEqual([]);
});
