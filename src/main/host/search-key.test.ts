/** The key of the web search goes in and is used; it is told that there is one, and the key itself is nowhere to be read. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createClient } from "../../shared/wire/client.ts";
import { connectInProcess } from "../../shared/wire/in-process.ts";
import type { Transport } from "../../shared/wire/transport.ts";
import { holdsText } from "../storage/testing/holds-text.ts";
import { folders, running, withHost } from "./testing/host-fixture.ts";

const key = "tvly-test-key-that-must-not-leak";
let environmentKey: string | undefined;

beforeEach(() => {
  environmentKey = process.env.TAVILY_API_KEY;
  delete process.env.TAVILY_API_KEY;
});
afterEach(() => {
  if (environmentKey !== undefined) process.env.TAVILY_API_KEY = environmentKey;
});

const { reopen } = withHost("test");

/** A window that writes down every frame the host sends it. */
function listen() {
  const [near, far] = connectInProcess();
  const frames: string[] = [];
  const heard: Transport = {
    ...far,
    send(frame) {
      frames.push(frame);
      far.send(frame);
    },
  };
  running.host.connect(heard);
  return { client: createClient(near), frames };
}

it("is told to be set, and is in no frame, no log and no database", async () => {
  const { client, frames } = listen();
  expect(await client.call("settings.searchKey", {})).toEqual({});
  await client.call("settings.setSearchKey", { key });
  await client.call("settings.update", { webSearch: { provider: "tavily" } });
  expect(await client.call("settings.searchKey", {})).toEqual({ keyStorage: "file" });
  for await (const item of client.watch("console.watch", {})) if (item.kind === "ready") break;
  const threadId = await running.console.start();
  await running.console.run(threadId, "say hello");
  await client.call("host.backup", {});
  expect(frames.length).toBeGreaterThan(5);
  expect(frames.filter((frame) => frame.includes(key))).toEqual([]);

  await reopen(async () => {
    const holding: string[] = [];
    const files = await readdir(folders.dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile()))
      if (holdsText(join(file.parentPath, file.name), key)) holding.push(file.name);
    expect(files.map((file) => file.name)).toContain("countersign.db");
    expect(holding).toEqual(["keys.json"]);
  });
  expect(await listen().client.call("settings.searchKey", {})).toEqual({ keyStorage: "file" });
});

it("is gone from the file when it is removed", async () => {
  const { client } = listen();
  await client.call("settings.setSearchKey", { key });
  await client.call("settings.setSearchKey", { key: null });
  expect(await client.call("settings.searchKey", {})).toEqual({});
  expect(await readFile(join(folders.dataDir, "keys.json"), "utf8")).not.toContain(key);
});

it("is not repeated when it is refused", async () => {
  const { client, frames } = listen();
  const tooLong = key.repeat(200);
  await expect(client.call("settings.setSearchKey", { key: tooLong })).rejects.toMatchObject({
    code: "invalid-input",
    field: "key",
  });
  expect(frames.filter((frame) => frame.includes(key))).toEqual([]);
});
