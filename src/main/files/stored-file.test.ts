/** Reading one file from a pinned folder, at the moment when it may have become something else. */
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { StaleFileError } from "./file-error.ts";
import { pinFolder, withFolder } from "./pinned-folder.ts";
import { decodeText, hashBytes, hashInPieces, type ReadLimits, readStored } from "./stored-file.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";

it("does not follow a file that became a link after its path was resolved", async () => {
  const { root, outside } = makeWorkspace();
  symlinkSync(join(outside, "secret.txt"), join(root, "a.txt"));
  const read = withFolder(pinFolder(root), (folder) =>
    readStored(folder, "a.txt", "a.txt", { keepBytes: 1_000 }),
  );
  await expect(read).rejects.toBeInstanceOf(StaleFileError);
});

it("hashes a file that is too large to hold as if it held it", async () => {
  const { root, put } = makeWorkspace();
  put("a.txt", "x".repeat(700_000));
  const read = (keepBytes: number) =>
    withFolder(pinFolder(root), (folder) => readStored(folder, "a.txt", "a.txt", { keepBytes }));
  const [held, hashed] = [await read(700_000), await read(699_999)];
  expect(held?.bytes?.length).toBe(700_000);
  expect(hashed).toMatchObject({ bytes: null, size: 700_000, hash: held?.hash });
});

it.each([0, 1, 262_144, 262_145, 900_000])("hashes %i bytes in pieces as in one", async (length) => {
  const bytes = Buffer.alloc(length, "abc");
  expect(await hashInPieces(bytes)).toBe(hashBytes(bytes));
});

it("takes as text only what encodes back to the same bytes", () => {
  expect(decodeText(Buffer.from("\ufeffgrün\r\n"))).toBe("\ufeffgrün\r\n");
  expect(decodeText(Buffer.from([0xc3]))).toBeNull();
  expect(decodeText(Buffer.from([0x61, 0]))).toBeNull();
});

it("is not read to its end where only a small one is wanted, and stops when it is told to", async () => {
  const { root } = makeWorkspace();
  writeFileSync(join(root, "a.txt"), "");
  // Without a byte on the disk, and hours of hashing.
  truncateSync(join(root, "a.txt"), 5e12);
  const read = (limits: ReadLimits) =>
    withFolder(pinFolder(root), (folder) => readStored(folder, "a.txt", "a.txt", limits));
  expect(await read({ keepBytes: 10, orNothing: true })).toMatchObject({ bytes: null, hash: "", size: 5e12 });
  const stopped = new AbortController();
  const reading = read({ keepBytes: 10, signal: stopped.signal });
  setImmediate(() => stopped.abort(new Error("stopped")));
  await expect(reading).rejects.toThrow("stopped");
});
