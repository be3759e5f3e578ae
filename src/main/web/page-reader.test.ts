/** Reading pages in a thread of its own, hostile pages included. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureGrowth, quadraticGrowth } from "../testing/growth.ts";
import { createPageReader, readPageAside, stripTags } from "./page-reader.ts";

const never = new AbortController().signal;

describe("readPageAside", () => {
  it("gives up on a page that would parse for minutes, still gives its text, and holds up nobody", async () => {
    const page = `<html><body>${"<div>".repeat(20_000)}<p>deep <b>text</b></p></body></html>`;
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    expect(await readPageAside(page, "http://x.test/", never, 500)).toEqual({ text: "deep text" });
    clearInterval(timer);
    // Parsed on this thread, the page would have let none by.
    expect(turns).toBeGreaterThan(5);
  });

  it("ends its thread at once when it is stopped", async () => {
    const page = `<html><body>${"<div>".repeat(20_000)}</body></html>`;
    const stop = new AbortController();
    const reading = readPageAside(page, "http://x.test/", stop.signal);
    stop.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
  });

  it("reads a page without an article, tables and nested lists included", async () => {
    const page =
      "<table><tr><th>Key</th><th>Does</th></tr><tr><td>y</td><td>approve</td></tr></table><ul><li>one<ul><li>inner</li></ul></li></ul>";
    const { text } = await readPageAside(page, "http://x.test/", never);
    expect(text).toContain("Key | Does\ny | approve");
    expect(text).toContain("- one\n  - inner");
  });
});

describe("the thread of the reader", () => {
  const workerFile = new URL("page-worker.ts", import.meta.url);
  const hostile = `<html><body>${"<div>".repeat(20_000)}</body></html>`;

  /** A reader, and for each thread it started how that thread ends: 0 by itself, 1 from outside. */
  function reader(idleMs?: number) {
    const ends: Promise<number>[] = [];
    const start = () => {
      const worker = new Worker(workerFile);
      ends.push(once(worker, "exit").then(([code]) => code as number));
      return worker;
    };
    return { ends, ...createPageReader({ start, idleMs }) };
  }

  it("is one for page after page, also after one that cannot be read, and a new one after one that hung", async () => {
    const { ends, read } = reader();
    for (let page = 0; page < 4; page += 1)
      expect((await read(`<p>page ${page}</p>`, "http://x.test/", never)).text).toContain(`page ${page}`);
    expect(await read("<a href=x>left</a>", "no address", never)).toMatchObject({ text: "left" });
    expect(ends).toHaveLength(1);
    await read(hostile, "http://x.test/", never, 200);
    expect(await ends[0]).toBe(1);
    expect((await read("<p>next</p>", "http://x.test/", never)).text).toContain("next");
    expect(ends).toHaveLength(2);
  });

  it("ends by itself when no page came for a while, and a page after that gets another", async () => {
    const { ends, read } = reader(0);
    await read("<p>only</p>", "http://x.test/", never);
    expect(await ends[0]).toBe(0);
    expect((await read("<p>later</p>", "http://x.test/", never)).text).toContain("later");
    expect(ends).toHaveLength(2);
  });

  it("has company while pages are read side by side, and one of them stays", async () => {
    const { ends, read } = reader();
    const pages = ["a", "b", "c"].map((name) => read(`<p>${name}</p>`, "http://x.test/", never));
    expect((await Promise.all(pages)).map(({ text }) => text.trim())).toEqual(["a", "b", "c"]);
    expect(ends).toHaveLength(3);
    // Two end by themselves, whichever were last.
    const pairs = [0, 1, 2].map((stays) => Promise.all(ends.filter((_end, index) => index !== stays)));
    expect(await Promise.any(pairs)).toEqual([0, 0]);
    await read("<p>d</p>", "http://x.test/", never);
    expect(ends).toHaveLength(3);
  });
});

describe("stripTags", () => {
  it("leaves out scripts, styles and comments, and decodes characters", () => {
    const page =
      "<style>p{}</style><h1>A &amp; B</h1><!-- no <b>this</b> --><script>if (a < b) evil()</script><p>5 &lt; 6 < 7 &#x263a;<BR>next <a href=x>link</a>";
    expect(stripTags(page)).toBe("A & B\n5 < 6 < 7 ☺\nnext link");
  });

  it("takes any text, broken tags included, and is quick on the worst of it", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "<script",
      "</script>",
      "<!--",
      "-->",
      "<p>",
      "&#99999999;",
      "&#xd800;",
      "text",
      " ",
      "\n",
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join("")),
        (page) => typeof stripTags(page) === "string",
      ),
    );
    for (const piece of ["<script", "<p ", "&#"])
      expect(
        measureGrowth((length) => void stripTags(piece.repeat(length)), 10_000),
        piece,
      ).toBeLessThan(quadraticGrowth / 2);
  });
});
