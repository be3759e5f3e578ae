/** The first thing a person tries: the tour must do what it says, on a real host. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { console, folders, withHost } from "./testing/host-fixture.ts";

withHost("file");

describe("the tour of the demo model", () => {
  it("asks for a new file, a change, a command that may be refused, and a deletion of high risk, and leaves nothing", async () => {
    const threadId = await console.start("demo tour");
    const asked: string[] = [];
    let changed = "";
    for (let count = 0; count < 4; count += 1) {
      const approval = await console.onePending(threadId);
      asked.push(approval.tool);
      expect(approval.risk === "high").toBe(count === 3);
      if (count === 3) {
        const [note] = (await readdir(folders.workspace)).filter((name) => name.endsWith(".md"));
        changed = await readFile(join(folders.workspace, note!), "utf8");
      }
      if (count === 2) await console.decide(approval, { type: "reject", message: "not now" });
      else await console.approve(approval);
      await console.until(
        () => console.pending(threadId).every(({ id }) => id !== approval.id),
        "the approval is decided",
      );
    }
    await console.untilStatus(threadId, "done");
    expect(asked).toEqual(["write_file", "edit_file", "execute", "execute"]);
    expect(await readdir(folders.workspace)).toEqual([]);
    expect(changed).toContain("Status: reviewed");
  });
});
