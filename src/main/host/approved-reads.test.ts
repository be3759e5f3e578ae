/** An approved read reads the path that was shown, and nothing that takes its place. */
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Approval } from "../../shared/contract/approvals.ts";
import { console, folders } from "./testing/host-fixture.ts";
import { withLaterHost } from "./testing/later-host.ts";

const { approveThen } = withLaterHost();

const at = (file: string) => join(folders.workspace, file);
const detailOf = ({ id }: Approval) => console.client.call("approvals.get", { id });

async function turnLink(link: string, target: string): Promise<void> {
  await symlink(target, at(`${link}.new`));
  await rename(at(`${link}.new`), at(link));
}

describe("an approved read", () => {
  async function prepare(name: string) {
    const elsewhere = join(folders.root, `elsewhere-${name}`);
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "meant"), "what was meant");
    await writeFile(join(elsewhere, "other"), "something else entirely");
    return { meant: join(elsewhere, "meant"), other: join(elsewhere, "other") };
  }

  it("shows where a link leads, and reads that", async () => {
    const { meant } = await prepare("shown");
    await symlink(meant, at("shown.txt"));
    const threadId = await console.start("read shown.txt");
    const asked = await console.onePending(threadId);
    expect(asked).toMatchObject({ risk: "high", subject: { path: meant, askedAs: "shown.txt" } });
    await console.approve(asked);
    await console.untilStatus(threadId, "done");
    expect((await console.toolCalls(threadId))[0]?.result).toContain("what was meant");
  });

  it("is asked about again when the link is turned before the yes", async () => {
    const { meant, other } = await prepare("before");
    await symlink(meant, at("before.txt"));
    const threadId = await console.start("read before.txt");
    const asked = await console.onePending(threadId);
    await turnLink("before.txt", other);
    expect(await console.approve(asked)).toMatchObject({ ok: false });
    expect((await detailOf(asked)).approval).toMatchObject({ subject: { path: other } });
    await console.stop(threadId);
    expect(JSON.stringify(await console.items(threadId))).not.toContain("something else entirely");
  });

  it.each(["read", "ls", "grep"])(
    "by %s is asked about again when it is turned after the yes",
    async (verb) => {
      const { meant, other } = await prepare(`after-${verb}`);
      const [shown, swapped] = verb === "read" ? [meant, other] : [join(meant, ".."), folders.root];
      const link = `after-${verb}.txt`;
      await symlink(shown, at(link));
      const line = verb === "grep" ? `call grep {"pattern": "e", "path": "${link}"}` : `${verb} ${link}`;
      const threadId = await console.start(line);
      const asked = await console.onePending(threadId);
      await approveThen(asked, () => turnLink(link, swapped));
      await console.until(() => console.pending(threadId).some(({ id }) => id !== asked.id), "it asks again");
      expect(await console.onePending(threadId)).toMatchObject({ subject: { path: swapped } });
      await console.stop(threadId);
      expect(JSON.stringify(await console.items(threadId))).not.toContain("something else entirely");
    },
  );

  it("of a secret inside does not reach a file outside that takes its place", async () => {
    const { other } = await prepare("secret");
    await writeFile(at(".env"), "PASSWORD=hunter2");
    const threadId = await console.start("read .env");
    const asked = await console.onePending(threadId);
    await approveThen(asked, async () => {
      await rm(at(".env"));
      await symlink(other, at(".env"));
    });
    await console.until(() => console.pending(threadId).some(({ id }) => id !== asked.id), "it asks again");
    await console.stop(threadId);
    expect(JSON.stringify(await console.items(threadId))).not.toContain("something else entirely");
  });
});
