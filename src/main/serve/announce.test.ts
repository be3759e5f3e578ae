/** What a person reads who starts browser mode, whatever becomes of the browser. */
import { expect, it, vi } from "vitest";
import { createAccess } from "./access.ts";
import { announce } from "./announce.ts";

function start(
  changed: {
    json?: boolean;
    warnings?: string[];
    openBrowser?: (address: string) => Promise<string | undefined>;
  } = {},
) {
  const access = createAccess();
  const said = { out: "", err: "" };
  let ask = () => {};
  const done = announce({
    door: { address: (options) => `http://127.0.0.1:1/#code=${access.issueCode(options)}` },
    access,
    warnings: [],
    json: false,
    stdout: { write: (text) => (said.out += text) },
    stderr: { write: (text) => (said.err += text) },
    onRequestLine: async (listener) => {
      ask = listener;
    },
    patienceMs: 0,
    ...changed,
  });
  const codes = () => [...said.out.matchAll(/#code=([\w-]{22})/g)].map((match) => match[1] ?? "");
  return { access, said, done, codes, ask: () => ask() };
}

it("prints an address that works, and another for every line that asks", async () => {
  const { access, said, done, codes, ask } = start();
  await done;
  ask();
  expect(said.out).toMatch(/^Countersign is at http/);
  expect(said.out).toContain("Press Enter for another");
  expect(codes().map((code) => access.exchange(code) !== undefined)).toEqual([true, true]);
  expect(said.err).toBe("");
});

it.each([true, false])("tells what is wrong with the data beside the address (JSON: %s)", async (json) => {
  const { said, done } = start({ json, warnings: ["keys.json cannot be read."] });
  await done;
  expect(said.err).toBe("keys.json cannot be read.\n");
  expect(said.out).not.toContain("keys.json");
});

it("writes nothing but lines of JSON to stdout when a program asked for them", async () => {
  const { said, done, ask } = start({ json: true });
  await done;
  ask();
  const lines = said.out.trimEnd().split("\n");
  expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([["url"], ["url"]]);
});

it("opens an address of its own, which the printed one does not depend on", async () => {
  const openBrowser = vi.fn(async (_address: string) => undefined);
  const { access, said, done, codes } = start({ openBrowser });
  await done;
  const opened = new URL(openBrowser.mock.calls[0]?.[0] ?? "").hash.slice("#code=".length);
  expect(opened).not.toBe(codes()[0]);
  const token = access.exchange(opened) ?? "";
  access.exchange(opened);
  expect(access.admits(token)).toBe(false);
  expect(said.err).toMatch(/used twice.*Press Enter/);
  expect(access.exchange(codes()[0] ?? "")).toBeDefined();
});

it.each([
  ["says why there is none", async () => "xdg-open is not installed"],
  ["throws", () => Promise.reject("no")],
])("stays up and says so in one sentence when the opener %s", async (_how, openBrowser) => {
  const { access, said, done, codes } = start({ openBrowser });
  await done;
  expect(said.err).toMatch(/^The browser could not be opened \(.*\)\. Open the address above yourself\.\n$/);
  expect(access.exchange(codes()[0] ?? "")).toBeDefined();
});

it("says so when no page comes from the browser", async () => {
  const { said, done } = start({ openBrowser: async () => undefined });
  await done;
  await vi.waitUntil(() => said.err !== "");
  expect(said.err).toMatch(/^No page has come.*Open the address above yourself\.\n$/);
});
