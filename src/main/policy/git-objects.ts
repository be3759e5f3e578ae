/** Reads commits, tags and folders out of a repository's object store: https://git-scm.com/docs/gitformat-pack. */

import { closeSync, constants, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { inflateSync } from "node:zlib";
import { readNow } from "../base/read-now.ts";

/** One object as git keeps it. */
export type GitObject = { type: "commit" | "tree" | "blob" | "tag"; bytes: Buffer };

/** Where a repository keeps its objects. */
export type ObjectStore = {
  /** `undefined` when it is not there, too large or damaged. */
  read(id: string): GitObject | undefined;
  /** The full ids that begin with some hexadecimal digits. */
  find(start: string): string[];
};

/** Larger ones are no folders and no commits that anybody wrote by hand. */
const largestBytes = 8_000_000;
const longestChain = 300;
const idBytes = 20;
const packHead = 8;
const fanBytes = 256 * 4;
const types = [undefined, "commit", "tree", "blob", "tag"] as const;
const [offsetDelta, idDelta] = [6, 7];

type Pack = { path: string; ids: Buffer; first: number; count: number };
type Packed = { type: number; bytes: Buffer };

/** A pipe in the place of a file is not waited for, and cannot be read at a place. */
const readFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function readAt(path: string, at: number, length: number): Buffer {
  const file = openSync(path, readFlags);
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  } finally {
    closeSync(file);
  }
}

/** The part of a pack's index that holds the ids which begin with one byte. */
function openBucket(path: string, firstByte: number): Pack {
  if (!statSync(path).isFile()) throw new Error("no index of a pack");
  const fan = readAt(path, 0, packHead + fanBytes);
  if (fan.readUInt32BE(0) !== 0xff744f63 || fan.readUInt32BE(4) !== 2) throw new Error("no index of a pack");
  const first = firstByte === 0 ? 0 : fan.readUInt32BE(packHead + (firstByte - 1) * 4);
  const after = fan.readUInt32BE(packHead + firstByte * 4);
  const ids = readAt(path, packHead + fanBytes + first * idBytes, (after - first) * idBytes);
  return { path, ids, first, count: fan.readUInt32BE(packHead + 255 * 4) };
}

function idsIn({ ids }: Pack, start: string): { id: string; at: number }[] {
  const found: { id: string; at: number }[] = [];
  for (let at = 0; at + idBytes <= ids.length; at += idBytes) {
    const id = ids.toString("hex", at, at + idBytes);
    if (id.startsWith(start)) found.push({ id, at: at / idBytes });
  }
  return found;
}

/** Where in the pack the object stands whose id is the nth of a bucket. */
function offsetOf({ path, first, count }: Pack, at: number): number {
  const offsets = packHead + fanBytes + count * (idBytes + 4);
  const offset = readAt(path, offsets + (first + at) * 4, 4).readUInt32BE(0);
  if (offset < 0x80000000) return offset;
  const far = readAt(path, offsets + count * 4 + (offset - 0x80000000) * 8, 8).readBigUInt64BE(0);
  return Number(far);
}

/** A number as deltas write it: seven bits a byte, the lowest first. */
function readSize(bytes: Buffer, at: number): { size: number; next: number } {
  let [size, scale, next, byte] = [0, 1, at, 128];
  while (byte & 128) {
    byte = bytes.readUInt8(next++);
    size += (byte & 127) * scale;
    scale *= 128;
  }
  return { size, next };
}

function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const target = readSize(delta, readSize(delta, 0).next);
  if (target.size > largestBytes) throw new Error("too large");
  const parts: Buffer[] = [];
  for (let at = target.next; at < delta.length; ) {
    const order = delta.readUInt8(at++);
    if ((order & 128) === 0) {
      parts.push(delta.subarray(at, at + order));
      at += order;
      continue;
    }
    let [from, length] = [0, 0];
    for (let bit = 0; bit < 4; bit += 1) if (order & (1 << bit)) from += delta.readUInt8(at++) * 256 ** bit;
    for (let bit = 0; bit < 3; bit += 1)
      if (order & (16 << bit)) length += delta.readUInt8(at++) * 256 ** bit;
    parts.push(base.subarray(from, from + (length || 0x10000)));
  }
  return Buffer.concat(parts);
}

/** @returns the two offsets or ids of what it was made from, and where its own bytes begin */
function readPacked(pack: string, offset: number, depth: number, readBase: (id: string) => Packed): Packed {
  if (depth > longestChain) throw new Error("too long a chain");
  const head = readAt(pack, offset, 64);
  let byte = head.readUInt8(0);
  const type = (byte >> 4) & 7;
  let [size, scale, at] = [byte & 15, 16, 1];
  while (byte & 128) {
    byte = head.readUInt8(at++);
    size += (byte & 127) * scale;
    scale *= 128;
  }
  if (size > largestBytes) throw new Error("too large");
  let base: (() => Packed) | undefined;
  if (type === offsetDelta) {
    byte = head.readUInt8(at++);
    let back = byte & 127;
    while (byte & 128) {
      byte = head.readUInt8(at++);
      back = (back + 1) * 128 + (byte & 127);
    }
    base = () => readPacked(pack, offset - back, depth + 1, readBase);
  } else if (type === idDelta) {
    const id = head.toString("hex", at, at + idBytes);
    at += idBytes;
    base = () => readBase(id);
  }
  // What cannot be made smaller is kept a little larger than it is.
  const bytes = inflateSync(readAt(pack, offset + at, size + (size >> 8) + 128), {
    maxOutputLength: size + 1,
  });
  if (base === undefined) return { type, bytes };
  const { type: baseType, bytes: baseBytes } = base();
  return { type: baseType, bytes: applyDelta(baseBytes, bytes) };
}

function readLoose(folder: string, id: string): GitObject | undefined {
  const path = join(folder, id.slice(0, 2), id.slice(2));
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > largestBytes) return undefined;
  const bytes = inflateSync(readNow(path), { maxOutputLength: largestBytes });
  const end = bytes.indexOf(0);
  const type = types.find((each) => each === bytes.toString("latin1", 0, end).split(" ")[0]);
  return type && { type, bytes: bytes.subarray(end + 1) };
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

/** The folder itself and those that it borrows objects from. */
function withBorrowed(folder: string): string[] {
  const list = join(folder, "info/alternates");
  const stat = statSync(list, { throwIfNoEntry: false });
  if (stat === undefined) return [folder];
  if (!stat.isFile()) throw new Error("no list of borrowed objects");
  const lines = readNow(list).toString().split("\n");
  return [folder, ...lines.filter((line) => line !== "").map((line) => resolve(folder, line))];
}

/** @param folder the absolute path of a repository's `objects` */
export function openObjects(folder: string): ObjectStore {
  const folders = withBorrowed(folder);
  const indexes = folders.flatMap((each) =>
    namesIn(join(each, "pack"))
      .filter((name) => name.endsWith(".idx"))
      .map((name) => join(each, "pack", name)),
  );
  const buckets = new Map<string, Pack>();
  const bucketOf = (path: string, firstByte: number) => {
    const key = `${firstByte} ${path}`;
    const bucket = buckets.get(key) ?? openBucket(path, firstByte);
    buckets.set(key, bucket);
    return bucket;
  };
  const readBase = (id: string, depth: number): Packed => {
    for (const path of indexes) {
      const pack = bucketOf(path, Number.parseInt(id.slice(0, 2), 16));
      const found = idsIn(pack, id)[0];
      if (found === undefined) continue;
      const offset = offsetOf(pack, found.at);
      return readPacked(path.replace(/idx$/, "pack"), offset, depth, (base) => readBase(base, depth + 1));
    }
    throw new Error("not in a pack");
  };
  return {
    read(id) {
      try {
        for (const each of folders) {
          const loose = readLoose(each, id);
          if (loose !== undefined) return loose;
        }
        const { type, bytes } = readBase(id, 0);
        const name = types[type];
        return name && { type: name, bytes };
      } catch {
        return undefined;
      }
    },
    find(start) {
      try {
        const [two, rest] = [start.slice(0, 2), start.slice(2)];
        const loose = folders
          .flatMap((each) => namesIn(join(each, two)))
          .filter((name) => name.startsWith(rest));
        const packed = indexes.flatMap((path) => idsIn(bucketOf(path, Number.parseInt(two, 16)), start));
        return [...new Set([...loose.map((name) => two + name), ...packed.map(({ id }) => id)])];
      } catch {
        return [];
      }
    },
  };
}
