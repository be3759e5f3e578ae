/** Lists of the ledger, looked through a few lines at a time, hold what all lines at once would. */

import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { jsonBytes } from "../../shared/wire/json-bytes.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { type OpenLog, openLog } from "../threads/testing/open-log.ts";
import { createLedger, type Ledger, type LedgerFilter } from "./ledger.ts";

let open: OpenLog;
let ledger: Ledger;
beforeEach(() => {
  open = openLog();
  ledger = createLedger(open.database, () => 1);
});
afterEach(() => open.close());

const threadOf = (at: number) => `thread-${at % 7 === 0 ? "rare" : "often"}` as ThreadId;
const commandOf = (at: number) => (at % 90 === 0 ? `needle ${at}` : `true ${at}`);

function write(count: number, command = commandOf): void {
  open.database.transaction(() => {
    for (let at = 1; at <= count; at += 1)
      ledger.add({
        threadId: threadOf(at),
        threadTitle: "",
        agentPath: [],
        tool: "execute",
        originalArgs: { command: command(at) },
        cwd: "/",
        verdict: { verdict: "new", units: [] },
        decision: { type: "approve" },
        by: { kind: at % 5 === 0 ? "policy" : "person" },
        seen: { inFull: at % 3 === 0, ms: 1 },
      });
  })();
}

it("finds what a filter means, page by page, without a gap and without a repeat", async () => {
  const count = 700;
  write(count);
  const filters = fc.record(
    {
      query: fc.constantFrom("NEEDLE", "true 1", "nowhere"),
      threadId: fc.constantFrom(threadOf(7), threadOf(1), "thread-none" as ThreadId),
      seen: fc.constantFrom("inFull" as const, "notInFull" as const),
    },
    { requiredKeys: [] },
  );
  const meant = (at: number, { query, threadId, seen }: Omit<LedgerFilter, "limit">) =>
    (query === undefined || commandOf(at).includes(query.toLowerCase())) &&
    (threadId === undefined || threadOf(at) === threadId) &&
    (seen === undefined || (at % 5 !== 0 && (at % 3 === 0) === (seen === "inFull")));
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 40, max: 200 }), async (filter, limit) => {
      const found: number[] = [];
      for (let before: number | undefined; ; ) {
        const { entries, hasMore } = await ledger.list({ ...filter, before, limit });
        expect(entries.length).toBeLessThanOrEqual(limit);
        found.push(...entries.map(({ id }) => id));
        before = entries.at(-1)?.id;
        if (!hasMore) break;
      }
      const all = Array.from({ length: count }, (_, at) => count - at);
      expect(found).toEqual(all.filter((at) => meant(at, filter)));
    }),
    { numRuns: runsOf(40) },
  );
});

it("reads a bounded number of bytes for one page, and always a line", async () => {
  write(60, (at) => `echo ${at} ${"x".repeat(500_000)}`);
  const { entries, hasMore } = await ledger.list({ limit: 200 });
  expect(hasMore).toBe(true);
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.reduce((sum, entry) => sum + (entry.leftOut ?? 0), 0)).toBeLessThan(9_000_000);
  expect(jsonBytes(entries)).toBeLessThan(400_000);
});
