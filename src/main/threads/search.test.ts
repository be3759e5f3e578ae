/** The search over all threads stays one however long the texts are, and however often they say a word. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { measureGrowth, quadraticGrowth } from "../testing/growth.ts";
import { type OpenLog, openLog, said } from "./testing/open-log.ts";

let open: OpenLog;
beforeEach(() => {
  open = openLog();
});
afterEach(() => open.close());

it("shows the place of the first hit in a long message, and the newest message first", () => {
  const around = "and so it goes ".repeat(2_000);
  open.log.append(open.threadId, [said("long", `${around}the Needle is here ${around}`)]);
  open.log.append(open.threadId, [said("short", "a needle")]);
  const [first, second] = open.log.search("needle", 10);
  expect(first).toMatchObject({ itemId: "short", snippet: "a needle" });
  expect(second?.snippet).toContain("the Needle is here");
  expect(second?.snippet.length).toBeLessThan(200);
});

it("takes time by the length of a message, not by how often it says the word", () => {
  const search = (words: number) => {
    open.log.append(open.threadId, [said(`m-${words}-${Math.random()}`, "word ".repeat(words))]);
    expect(open.log.search("word", 1)[0]?.snippet).toContain("word");
  };
  expect(measureGrowth(search, 2_000)).toBeLessThan(quadraticGrowth / 2);
});

it("knows a bounded part of each message", () => {
  for (const letter of ["x", "字", "\u0001"]) {
    open.log.append(open.threadId, [said(`m-${letter}`, `${letter} `.repeat(300_000))]);
    const { size } = open.database
      .prepare("SELECT max(length(CAST(text AS BLOB))) AS size FROM search")
      .get() as { size: number };
    expect(size).toBeLessThanOrEqual(100_000);
  }
});
