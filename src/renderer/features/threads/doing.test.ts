/** What the line under a thread's title says. */
import { expect, it } from "vitest";
import { sampleThread } from "../../testing/samples.ts";
import { doingOf } from "./doing.ts";
import type { Standing } from "./standing.ts";

it("says once that a thread is done, also where the agent begins with that word", () => {
  const finished = (said: string) => {
    const thread = sampleThread("t", { status: "done", unread: true, said });
    return doingOf({ thread, shape: "finished", waiting: [], waits: 0 } as unknown as Standing).words;
  };
  expect(["Done: 2 of 2 steps worked.", "Two steps worked.", "Donegal is in Ireland."].map(finished)).toEqual(
    ["", "Done.", "Done."],
  );
});
