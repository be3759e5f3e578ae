/** What a command would change is read from two folders as an overlay leaves them; plain folders stand in for those here. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hashBytes } from "../files/stored-file.ts";
import { readChanges } from "./read-changes.ts";

function open() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-changes-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const at = (...names: string[]) => join(root, ...names);
  for (const name of ["workspace", "upper", "merged"]) mkdirSync(at(name));
  const read = (startedAt: number, lower = "workspace") =>
    readChanges({
      ...{ workspace: at("workspace"), upper: at("upper"), merged: at("merged"), startedAt },
      lower: at(lower),
      keep: async (bytes) => hashBytes(bytes),
    });
  return { at, read };
}

it("takes no file for what the command saw that was altered since it began", async () => {
  const { at, read } = open();
  writeFileSync(at("workspace", "a"), "one");
  for (const folder of ["upper", "merged"]) writeFileSync(at(folder, "a"), "two");
  const altered = statSync(at("workspace", "a")).ctimeMs;
  const { files } = await read(altered);
  expect(files).toMatchObject([{ from: { hash: hashBytes(readFileSync(at("workspace", "a"))) } }]);
  await expect(read(altered - 1)).rejects.toThrow("a was changed by something else while it was rehearsed.");
});

it("takes no folder for what the command saw that came in its place since", async () => {
  const { at, read } = open();
  mkdirSync(at("other"));
  writeFileSync(at("other", "a"), "old");
  const old = statSync(at("other", "a")).ctimeMs;
  // The clock of the disk goes in steps.
  do {
    renameSync(at("other"), at("workspace", "d"));
    renameSync(at("workspace", "d"), at("other"));
  } while (statSync(at("other")).ctimeMs <= old);
  renameSync(at("other"), at("workspace", "d"));
  await expect(read(old)).rejects.toThrow("d was changed by something else while it was rehearsed.");
  for (const folder of ["upper", "merged"]) {
    mkdirSync(at(folder, "d"));
    writeFileSync(at(folder, "d", "a"), "new");
  }
  await expect(read(old)).rejects.toThrow("d was changed by something else while it was rehearsed.");
  expect((await read(Date.now() + 1_000)).files).toHaveLength(1);
});

it("takes no other workspace for the one that the command saw", async () => {
  const { at, read } = open();
  mkdirSync(at("moved away"));
  expect((await read(Date.now() + 1_000)).files).toEqual([]);
  await expect(read(Date.now() + 1_000, "moved away")).rejects.toThrow("The folder was moved");
});

it("takes what is the same, whatever its times, for no change", async () => {
  const { at, read } = open();
  for (const folder of ["workspace", "upper", "merged"]) writeFileSync(at(folder, "a"), "one");
  expect((await read(Date.now() + 1_000)).files).toEqual([]);
});

it("finds a folder that is gone with all that was in it, and what came in its place", async () => {
  const { at, read } = open();
  mkdirSync(at("workspace", "d"));
  writeFileSync(at("workspace", "d", "x"), "x");
  for (const folder of ["upper", "merged"]) writeFileSync(at(folder, "d"), "a file");
  const { files, folders } = await read(Date.now() + 1_000);
  expect(files.map(({ path, to }) => [path, to !== null])).toEqual([
    [at("workspace", "d", "x"), false],
    [at("workspace", "d"), true],
  ]);
  expect(folders).toMatchObject({ gone: [{ path: at("workspace", "d") }], made: [] });
});
