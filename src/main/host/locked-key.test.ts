/** A key that the keychain does not open: the host starts, says so wherever it matters, and goes on once it is opened. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SecretBox } from "../settings/secret-box.ts";
import { folders, running, withHost } from "./testing/host-fixture.ts";

let isDenied = true;

const box: SecretBox = {
  isEncrypted: () => true,
  seal: async (plain) => Buffer.from(plain).reverse(),
  async open(bytes) {
    if (isDenied) throw new Error("The keychain was denied.");
    return { plain: Buffer.from(bytes).reverse().toString(), isOutdated: false };
  },
};
const sealed = Buffer.from("sk-of-the-person").reverse().toString("base64");

const { reopen } = withHost("test", () => ({ secretBox: box }));

it("keeps nothing but its own provider from working, and is never lost", async () => {
  const path = () => join(folders.dataDir, "keys.json");
  await reopen(() => {
    mkdirSync(folders.dataDir, { recursive: true });
    writeFileSync(path(), JSON.stringify({ version: 1, storage: "keychain", keys: { openai: sealed } }));
  });
  const { client } = running.console;
  const openai = async () =>
    (await client.call("models.providers", {})).providers.find(({ id }) => id === "openai");
  expect(await openai()).toMatchObject({ hasKey: true, keyStorage: "locked" });

  const scripted = await running.console.start();
  expect((await running.console.run(scripted, "say hello")).status).toBe("done");
  await client.call("models.setDefault", { model: { provider: "openai", model: "gpt-a" } });
  const threadId = await running.console.start("hello");
  const { problem } = await running.console.untilStatus(threadId, "failed");
  expect(problem).toMatch(/^The key for OpenAI is locked: .*Try again/);
  const tested = await client.call("models.test", { model: { provider: "openai", model: "gpt-a" } });
  expect(tested).toMatchObject({ ok: false, message: expect.stringContaining("locked") });

  expect(await client.call("models.unlockKey", { provider: "openai" })).toMatchObject({
    keyStorage: "locked",
  });
  isDenied = false;
  expect(await client.call("models.unlockKey", { provider: "openai" })).toMatchObject({
    keyStorage: "keychain",
  });
  expect(readFileSync(path(), "utf8")).toContain(sealed);
});

it("a broken file of keys is named among the warnings, without what stands in it", async () => {
  await reopen(() => writeFileSync(join(folders.dataDir, "keys.json"), '{"openai": "sk-leak'));
  const { warnings } = await running.console.client.call("host.info", {});
  expect(warnings.join()).toContain("keys.json.broken");
  expect(warnings.join()).not.toContain("leak");
});
