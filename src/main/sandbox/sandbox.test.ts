import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Found } from "./find-sandbox.ts";
import { createSandbox } from "./sandbox.ts";

function makeProgram() {
  const folder = mkdtempSync(join(tmpdir(), "countersign-sandbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "bwrap");
  writeFileSync(program, "one");
  return {
    program,
    replace() {
      writeFileSync(`${program}.new`, "two!");
      renameSync(`${program}.new`, program);
    },
  };
}

it("is attacked before anybody is told that it holds, once for all who ask, and again when its program is another", async () => {
  const { program, replace } = makeProgram();
  const attacked: Found[] = [];
  const known: string[] = [];
  const sandbox = createSandbox({
    mode: () => "auto",
    find: () => ({ program }),
    async probe(found) {
      attacked.push(found);
      return attacked.length === 1
        ? { usable: true, program, tries: 1 }
        : { usable: false, why: "it lets something out" };
    },
    onKnown: () => known.push(sandbox.state().state),
  });
  expect([sandbox.state(), attacked]).toEqual([{ state: "untried" }, []]);
  const first = await Promise.all([sandbox.ready(), sandbox.ready()]);
  expect([first.map(({ usable }) => usable), attacked.length]).toEqual([[true, true], 1]);
  replace();
  expect(await sandbox.ready()).toEqual({ usable: false, why: "it lets something out" });
  expect([attacked.length, known]).toEqual([2, ["usable", "unusable"]]);
});

it("cannot be relied on where its program goes away while it is looked at", async () => {
  const sandbox = createSandbox({
    mode: () => "auto",
    find: () => ({ program: "/nowhere" }),
    onKnown: () => {},
  });
  expect(await sandbox.ready()).toEqual({ usable: false, why: expect.stringContaining("ENOENT") });
});
