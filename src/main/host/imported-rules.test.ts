import { describe, expect, it } from "vitest";
import { console, withHost } from "./testing/host-fixture.ts";

withHost("file");

const settings = (allow: string[]) => JSON.stringify({ permissions: { allow } });
const ask = (text: string, digest?: string) =>
  console.client.call("rules.import", { from: "claude-code", text, ...(digest && { digest }) });

describe("rules of another program", () => {
  it("are written once their preview was confirmed, and are in force then", async () => {
    const text = settings(["Bash(make part-a:*)"]);
    const preview = await ask(text);
    expect(preview).toMatchObject({
      entries: [{ outcome: "taken", rules: [{ text: "make part-a", known: false }] }],
    });
    expect(preview.added).toBeUndefined();
    expect((await console.client.call("rules.list", {})).rules).toEqual([]);
    expect((await ask(text, preview.digest)).added).toBe(1);
    const { rules } = await console.client.call("rules.list", {});
    expect(rules).toMatchObject([{ text: "make part-a", effect: "allow", scope: "user", asWritten: true }]);
    const threadId = await console.start("run CI=1 make part-a");
    expect((await console.onePending(threadId)).verdict.verdict).toBe("new");
    const exported = await console.client.call("rules.export", { to: "codex" });
    expect(exported.text).toBe('prefix_rule(pattern=["make", "part-a"], decision="allow")\n');
  });

  it("are not written when they are others than those that were confirmed", async () => {
    const { digest } = await ask(settings(["Bash(make part-b)"]));
    await expect(ask(settings(["Bash(make part-b:*)"]), digest)).rejects.toMatchObject({ code: "conflict" });
  });
});
