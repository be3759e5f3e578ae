/** A change that cannot be made is answered to the agent with the tool's own words, and nobody is asked about it. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ThreadId } from "../../shared/ids.ts";
import { console, folders } from "./testing/host-fixture.ts";
import { withLaterHost } from "./testing/later-host.ts";

const { approveThen } = withLaterHost();

const at = (file: string) => join(folders.workspace, file);
const edit = (file: string, from: string, to: string) =>
  `call edit_file ${JSON.stringify({ file_path: file, old_string: from, new_string: to })}`;

/** What became of the only call: its outcome and what the agent was told. */
async function answerOf(threadId: ThreadId) {
  const [call] = await console.toolCalls(threadId);
  return call;
}

describe("an edit that cannot be made", () => {
  it.each([
    ["its text is not in the file", "text.txt", Buffer.from("one\n"), /not found/],
    ["the file is not there", "missing.txt", undefined, /missing\.txt/],
    ["the file is binary", "binary", Buffer.from([0, 1, 2, 110, 111]), /binary/],
    ["the file is UTF-16", "wide.txt", Buffer.from("\ufeffnone", "utf16le"), /UTF-8|binary|UTF-16/],
  ])("is answered at once where %s", async (_, file, content, why) => {
    if (content) await writeFile(at(file), content);
    const threadId = await console.start(edit(file, "no", "yes"));
    await console.untilStatus(threadId, "done");
    const answer = await answerOf(threadId);
    expect([answer?.outcome, console.pending(threadId)]).toEqual(["failed", []]);
    expect(answer?.result).toMatch(why);
    expect(answer?.result).not.toMatch(/person|rejected/);
    expect(await console.ledger(threadId)).toEqual([]);
    if (content) expect(await readFile(at(file))).toEqual(content);
  });

  it("is answered as well where the file changed under an approval", async () => {
    await writeFile(at("moved-on"), "no\n");
    const threadId = await console.start(edit("moved-on", "no", "yes"));
    const asked = await console.onePending(threadId);
    await approveThen(asked, () => writeFile(at("moved-on"), "something else\n"));
    await console.untilStatus(threadId, "done");
    expect(console.pending(threadId)).toEqual([]);
    expect((await answerOf(threadId))?.result).toMatch(/not found/);
    expect(await readFile(at("moved-on"), "utf8")).toBe("something else\n");
  });
});
