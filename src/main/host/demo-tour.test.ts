/** The first thing a person tries: the tour must do what it says, on a real host. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folders, type TestConsole, withHost } from "./testing/host-fixture.ts";

let folders: Folders;
let console: TestConsole;

withHost("file", (opened) => {
  ({ folders, console } = opened);
});

describe("the tour of the demo model", () => {
  it("asks three times, for a new file, a change and a command, and works when each is approved", async () => {
    const threadId = await console.start("demo tour");
    const asked: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const approval = await console.onePending(threadId);
      asked.push(approval.tool);
      expect(approval.risk).not.toBe("high");
      await console.approve(approval);
      await console.until(
        () => console.pending(threadId).every(({ id }) => id !== approval.id),
        "the approval is decided",
      );
    }
    await console.untilStatus(threadId, "done");
    expect(asked).toEqual(["write_file", "edit_file", "execute"]);
    const [note] = (await readdir(folders.workspace)).filter((name) => name.endsWith(".md"));
    expect(await readFile(join(folders.workspace, note!), "utf8")).toContain("Status: reviewed");
  });
});
