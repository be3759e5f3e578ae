/** A host whose clock a test sets forward, for what is to happen between a yes and the end of its grace. */
import { expect } from "vitest";
import type { Approval } from "../../../shared/contract/approvals.ts";
import { console, withHost } from "./host-fixture.ts";

/** Gives the tests of a file one such host. */
export function withLaterHost() {
  let laterMs = 0;
  const { reopen } = withHost("file", () => ({ now: () => Date.now() + laterMs }));
  return {
    reopen,
    pass(ms: number): void {
      laterMs += ms;
    },
    /** Says yes, lets something else happen, and only then the grace of the yes is over. */
    async approveThen(asked: Approval, act: () => Promise<unknown>): Promise<void> {
      expect(await console.approve(asked, 10_000)).toMatchObject({ ok: true });
      await act();
      laterMs += 20_000;
      await reopen();
    },
  };
}
