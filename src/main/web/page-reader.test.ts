/** Reading pages in a thread of its own, hostile pages included. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPageAside } from "./page-reader.ts";
import { stripTags } from "./plain-text.ts";

const never = new AbortController().signal;

describe("readPageAside", () => {
  it("gives up on a page that would parse for minutes, still gives its text, and holds up nobody", async () => {
    const page = `<html><body>${"<div>".repeat(20_000)}<p>deep <b>text</b></p></body></html>`;
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    expect(await readPageAside(page, "http://x.test/", never, 500)).toEqual({ text: "deep text" });
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan(400);
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
    const started = performance.now();
    stripTags("<script".repeat(100_000));
    stripTags("<p ".repeat(200_000));
    stripTags("&#".repeat(300_000));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
