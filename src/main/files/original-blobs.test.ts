/** Originals on a real disk; a plain copy stands in for a disk that lets two files share their bytes. */
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createOriginalBlobs } from "./original-blobs.ts";
import { makeWorkspace } from "./testing/test-workspace.ts";

/** @param meanwhile is done to the file between its reading and the copy */
function open(meanwhile: (path: string) => void = () => undefined) {
  const { base, put } = makeWorkspace();
  const asked: string[] = [];
  const blobs = createOriginalBlobs(join(base, "originals"), async (from, to) => {
    asked.push(from);
    meanwhile(from);
    copyFileSync(from, to);
    return true;
  });
  const files = () =>
    readdirSync(join(base, "originals"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return { blobs, put, asked, files };
}

it("shares a file's bytes where the disk can, and has each content once", async () => {
  const { blobs, put, asked, files } = open();
  const path = put("a", "one");
  const hash = await blobs.put(readFileSync(path), path);
  await blobs.put(readFileSync(path), path);
  expect([asked, files().length, `${await blobs.get(hash)}`]).toEqual([[path], 1, "one"]);
});

it("keeps what was read, not what somebody wrote to the file since", async () => {
  const { blobs, put, files } = open((path) => writeFileSync(path, "another, and longer"));
  const path = put("a", "one");
  const hash = await blobs.put(readFileSync(path), path);
  expect([`${await blobs.get(hash)}`, files().length]).toEqual(["one", 1]);
});

it("leaves nothing of a content that could not be written, nor of one that the end of the app cut off", async () => {
  const { base, put } = makeWorkspace();
  const folder = join(base, "originals");
  const blobs = createOriginalBlobs(folder, async (_, to) => {
    symlinkSync(to, to);
    return true;
  });
  await expect(blobs.put(Buffer.from("one"), put("a", "one"))).rejects.toThrow();
  const hash = await blobs.put(Buffer.from("two"));
  const inside = join(folder, hash.slice(0, 2));
  for (const name of [`${hash}.0000old`, `${hash}.0000new`]) writeFileSync(join(inside, name), "half");
  utimesSync(join(inside, `${hash}.0000old`), 1, 1);
  utimesSync(join(inside, hash), 1, 1);
  await blobs.sweep(async () => true, new AbortController().signal);
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => !one.isDirectory(),
  );
  expect(left.map(({ name }) => name).sort()).toEqual([hash, `${hash}.0000new`]);
});

it("writes the bytes where the disk shares none, readable by their owner alone", async () => {
  const { base, put } = makeWorkspace();
  const blobs = createOriginalBlobs(join(base, "originals"));
  const path = put("large", "x".repeat(100_000));
  const hash = await blobs.put(readFileSync(path), path);
  expect((await blobs.get(hash))?.length).toBe(100_000);
  const kept = join(base, "originals", hash.slice(0, 2), hash);
  if (process.platform !== "win32") expect(statSync(kept).mode & 0o777).toBe(0o600);
});
