/** Pages of a transcript: whichever way they are read, they join without a gap and without a repeat. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenLog, openLog, said, sent } from "./testing/open-log.ts";
import type { PagePlace } from "./transcript-pages.ts";

let open: OpenLog;
beforeEach(() => {
  open = openLog();
});
afterEach(() => open.close());

function write(count: number, text = "step"): number[] {
  return Array.from({ length: count }, (_, index) => {
    const [event] = open.log.append(open.threadId, [
      index % 2 === 0 ? sent(`m${index}`, text) : said(`m${index}`, text),
    ]);
    return event!.seq;
  });
}

function page(limit: number, place?: PagePlace) {
  const { items, ...ends } = open.log.page(open.threadId, limit, place);
  return { positions: items.map((item) => item.position), ...ends };
}

describe("a page of a transcript", () => {
  it("is the end when no place is named", () => {
    const all = write(10);
    expect(page(4)).toEqual({ positions: all.slice(6), hasMore: true, hasNewer: false });
    expect(page(10)).toEqual({ positions: all, hasMore: false, hasNewer: false });
  });

  it("stands around a place, with the item there in its middle", () => {
    const all = write(20);
    expect(page(6, { around: all[10] })).toEqual({
      positions: all.slice(7, 13),
      hasMore: true,
      hasNewer: true,
    });
    expect(page(6, { around: all[0] })).toMatchObject({ positions: all.slice(0, 3), hasMore: false });
    expect(page(6, { around: all[19] })).toMatchObject({ positions: all.slice(14), hasNewer: false });
  });

  it("joins with those before and after it", () => {
    const all = write(20);
    const middle = page(6, { around: all[10] }).positions;
    expect(page(4, { before: middle[0] })).toEqual({
      positions: all.slice(3, 7),
      hasMore: true,
      hasNewer: true,
    });
    expect(page(4, { after: middle.at(-1) })).toEqual({
      positions: all.slice(13, 17),
      hasMore: true,
      hasNewer: true,
    });
    expect(page(50, { after: middle.at(-1) })).toMatchObject({ positions: all.slice(13), hasNewer: false });
    expect(page(5, { after: all.at(-1) })).toEqual({ positions: [], hasMore: true, hasNewer: false });
  });

  it("holds fewer of them when they are large, and always the one that was asked for", () => {
    const all = write(9, "x".repeat(120_000));
    const { positions, hasMore, hasNewer } = page(9, { around: all[4] });
    expect(positions).toContain(all[4]);
    expect(positions.length).toBeLessThan(5);
    expect({ hasMore, hasNewer }).toEqual({ hasMore: true, hasNewer: true });
  });

  it("fits into a frame with all the bytes of its letters, wherever it stands", () => {
    const all = write(30, "天".repeat(30_000));
    for (const place of [{}, { before: all[20] }, { after: all[5] }, { around: all[15] }]) {
      const { items } = open.log.page(open.threadId, 30, place);
      expect(Buffer.byteLength(JSON.stringify(items)), JSON.stringify(place)).toBeLessThan(401_000);
      expect(items.length).toBeGreaterThan(1);
    }
  });

  it.each(["天", "\u0000", "\ud83d"])(
    "shortens an item that a page cannot hold, of %j too, and says so",
    (unit) => {
      write(3, unit.repeat(600_000));
      const { items } = open.log.page(open.threadId, 9);
      expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(500_000);
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) {
        const whole = open.log.item(open.threadId, item.id)!;
        expect(item.leftOut).toBeGreaterThan(0);
        expect(whole).toMatchObject({ text: unit.repeat(600_000), kind: item.kind });
      }
    },
  );
});
