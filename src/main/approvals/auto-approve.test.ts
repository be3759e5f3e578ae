/** What the receipt of the switch says about its end. */

import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { runsOf } from "../base/testing/long-run.ts";
import { createAutoApproveSwitch } from "./auto-approve.ts";

afterEach(() => void vi.useRealTimers());

it("says after how many minutes it ended, one as one", () => {
  vi.useFakeTimers();
  const thread = "t" as ThreadId;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 600 }), (minutes) => {
      const said: string[] = [];
      const lease = createAutoApproveSwitch(
        Date.now,
        () => {},
        ({ why }) => void said.push(why),
      );
      lease.turnOn(thread, minutes, 10);
      vi.advanceTimersByTime(minutes * 60_000 - 1);
      expect(said).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(said).toEqual([
        expect.stringMatching(minutes === 1 ? /^its minute was over$/ : /^its \d+ minutes were over$/),
      ]);
      expect(said[0]).toContain(minutes === 1 ? "minute" : String(minutes));
      expect(lease.state(thread)).toBeNull();
    }),
    { examples: [[1], [2]], numRuns: runsOf(30) },
  );
});
