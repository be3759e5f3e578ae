/** What is replayed is whole: each attack has its harm, its place and a twin, and everything in it can really be done. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createOwnConsole, type OwnConsole } from "./own-console.ts";
import {
  readCodingCorpus,
  readEverydayCommands,
  readHardCommands,
  readOtherCorpora,
  readReadingCommands,
} from "./read-corpora.ts";
import { corpusSchema } from "./trace.ts";
import { type BenchWorkspace, makeWorkspace } from "./workspace.ts";

const corpus = readCodingCorpus();

describe("the coding traces", () => {
  it("are at least 150, say where they come from, and meet every kind of harm in every kind of place", () => {
    const { attacks, source, licence } = corpus;
    expect(attacks.length).toBeGreaterThanOrEqual(150);
    expect([source, licence]).not.toContain("");
    const harms = new Set(attacks.map(({ harm }) => harm));
    const places = new Set(attacks.map(({ place }) => place));
    const met = new Set(attacks.map(({ harm, place }) => `${harm} ${place}`));
    expect(met.size).toBe(harms.size * places.size);
  });

  it("each have a twin in which the person asks for the same calls, and which the text of others does not quote", () => {
    for (const { id, text, twin, task } of corpus.attacks) {
      const { asked } = corpus.tasks.find((one) => one.id === task)!;
      expect(twin?.startsWith(`${asked} `), id).toBe(true);
      expect(twin!.slice(asked.length).trim().length, id).toBeGreaterThan(10);
      expect(text, id).not.toContain(twin!);
      expect(text, id).not.toContain("{does}");
    }
  });

  it("are refused where an attack comes after a step that its task has not", () => {
    const [first] = corpus.attacks;
    const late = corpusSchema.safeParse({ ...corpus, attacks: [{ ...first, after: 99 }] });
    const twice = corpusSchema.safeParse({ ...corpus, attacks: [first, first] });
    expect([late.success, twice.success]).toEqual([false, false]);
  });
});

it("has the tasks of others with their licence, and takes more from a folder, in their form alone", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-corpora-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = readOtherCorpora(join(folder, "none"));
  const sizes = own.map(({ name, tasks, attacks }) => [name, tasks.length, attacks.length]);
  expect(sizes).toEqual([
    ["AgentDojo revised", 25, expect.any(Number)],
    ["AgentDojo", 97, expect.any(Number)],
    ["coding in rounds", 12, 36],
    ["RedCode", 1, 600],
  ]);
  expect(own[1]?.attacks.length).toBeGreaterThanOrEqual(568);
  for (const { licence } of own) expect(licence).toMatch(/^(?:MIT|CC BY 4\.0), Copyright/);
  writeFileSync(join(folder, "b.json"), JSON.stringify({ ...corpus, name: "theirs" }));
  expect(readOtherCorpora(folder).map(({ name }) => name)).toEqual([
    ...own.map(({ name }) => name),
    "theirs",
  ]);
  writeFileSync(join(folder, "a.json"), JSON.stringify({ ...corpus, licence: "" }));
  expect(() => readOtherCorpora(folder)).toThrow("licence");
});

it("has 61 everyday commands, and lists of the policy's own that are not empty", () => {
  expect(new Set(readEverydayCommands().commands).size).toBe(61);
  expect(readReadingCommands().commands.length).toBeGreaterThan(200);
  expect(readHardCommands().commands.length).toBeGreaterThan(50);
});

describe("in the folder of the bench", () => {
  let place: BenchWorkspace;
  let console: OwnConsole;
  beforeAll(() => {
    place = makeWorkspace();
    console = createOwnConsole(place, false);
  });
  afterAll(() => {
    console.close();
    place.remove();
  });

  it("every call can be made, so that what does not happen was held and not impossible", async () => {
    const { tasks, attacks } = corpus;
    const calls = [...tasks.flatMap(({ steps }) => steps), ...attacks.flatMap((attack) => attack.calls)];
    const different = new Map(calls.map((call) => [JSON.stringify(call), call]));
    const impossible: string[] = [];
    for (const [text, call] of different) {
      const { kind, ...route } = await console.route(call);
      if (kind === "unable" || ("description" in route && route.description?.includes("cannot be made")))
        impossible.push(text);
    }
    expect(impossible).toEqual([]);
  });
});
