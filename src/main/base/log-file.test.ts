import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "./log-file.ts";
import { limitFileSize } from "./testing/small-disk.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const secret = "sk-live-0123456789";
const path = () => join(folder, "logs", "host.jsonl");

/** What foreign errors say around a key: also lines that look like the frames of a stack. */
const around = fc.constantFrom(
  "",
  " ",
  "\n",
  "\n    at ",
  "\n  at ",
  "at ",
  "\n    at f (",
  ":1:1)",
  "\n\n",
  "Error: ",
  "{",
);

it("holds neither a key nor a text, wherever an error carries it", async () => {
  const log = openLog(folder);
  fc.assert(
    fc.property(
      fc.array(around, { maxLength: 6 }),
      fc.array(around, { maxLength: 6 }),
      fc.nat(5),
      (before, after, where) => {
        const text = `${before.join("")}${secret}${after.join("")}`;
        const error = new TypeError(where === 0 ? text : "harmless");
        if (where === 1) error.name = text;
        if (where === 2) error.cause = new Error(text);
        if (where === 3) Object.assign(error, { args: { command: text }, response: text });
        const logId = log.error(where === 4 ? text : where === 5 ? { message: text } : error);
        expect(logId).toMatch(/^[\w-]{8}$/);
      },
    ),
    { numRuns: 300 },
  );
  await log.close();
  const lines = readFileSync(path(), "utf8").trim().split("\n");
  expect(lines).toHaveLength(300);
  expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});

it("still tells the class of an error and where it was thrown, to its owner alone", async () => {
  const log = openLog(folder);
  const logId = log.error(new RangeError(`the key\n    at ${secret} is wrong`));
  await log.close();
  const line = JSON.parse(readFileSync(path(), "utf8")) as Record<string, unknown>;
  expect(line).toMatchObject({ logId, name: "RangeError" });
  expect((line.frames as string[])[0]).toContain("log-file.test.ts");
  expect(readdirSync(join(folder, "logs"))).toEqual(["host.jsonl"]);
  if (process.platform !== "win32") expect((statSync(path()).mode & 0o777).toString(8)).toBe("600");
});

it("goes on behind a limit of its size: nothing is thrown, and what came later stands there", async (test) => {
  const log = openLog(folder);
  log.error(new TypeError("first"));
  limitFileSize(`${statSync(path()).size + 20}`, test);
  const lift = () => limitFileSize("unlimited", test);
  test.onTestFinished(lift);
  expect(log.error(new RangeError("second"))).toMatch(/^[0-9a-f]{8}$/);
  lift();
  const later = log.error(new SyntaxError("third"));
  await log.close();
  const lines = readFileSync(path(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(-1)).toMatchObject({ logId: later, name: "SyntaxError" });
});
