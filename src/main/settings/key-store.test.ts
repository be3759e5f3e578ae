/** Keys beside a keychain that refuses, hangs, pretends, rotates and comes back, and beside the other door's keys. */

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { runsOf } from "../base/testing/long-run.ts";
import { createKeyStore, type KeyName } from "./key-store.ts";
import type { SecretBox } from "./secret-box.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-keys-"));
  path = join(folder, "keys.json");
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

type Mood = "works" | "refuses" | "hangs" | "pretends";

/** A keychain whose seals carry the number of its master key; `pretends` disguises and does not encrypt. */
function createBox() {
  const state = { mood: "works" as Mood, outdated: false, asked: 0 };
  const waiting: (() => void)[] = [];
  const answer = async () => {
    state.asked += 1;
    if (state.mood === "refuses") throw new Error("denied");
    if (state.mood === "hangs") await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const box: SecretBox = {
    isEncrypted: (bytes) => Buffer.from(bytes).toString().startsWith("real:"),
    async seal(plain) {
      await answer();
      const mark = state.mood === "pretends" ? "v10:" : "real:";
      return Buffer.from(mark + Buffer.from(plain).toString("hex"));
    },
    async open(bytes) {
      await answer();
      const text = Buffer.from(bytes).toString();
      if (!/^(real|v10):[0-9a-f]*$/.test(text)) throw new Error("not sealed here");
      return { plain: Buffer.from(text.split(":")[1]!, "hex").toString(), isOutdated: state.outdated };
    },
  };
  const answerAll = () => {
    for (const go of waiting.splice(0)) go();
  };
  return { box, state, answerAll };
}

const onDisk = () => readFileSync(path, "utf8");
const sealedKey = (key: string, mark = "real:") =>
  Buffer.from(mark + Buffer.from(key).toString("hex")).toString("base64");
const writeSealed = (keys: Record<string, string>) =>
  writeFileSync(path, JSON.stringify({ version: 1, storage: "keychain", keys }));
/** Lets what waits for the keychain run into its time limit. */
const runOut = async (work: Promise<unknown>) => {
  await vi.advanceTimersByTimeAsync(60_000);
  await work;
};

describe("beside a keychain", () => {
  it("asks it nothing until a key is needed, and seals what is set", async () => {
    const { box, state } = createBox();
    writeSealed({ openai: sealedKey("sk-old") });
    const keys = createKeyStore(path, box, {});
    expect(state.asked).toBe(0);
    await keys.open(["openai", "anthropic"]);
    expect(keys.find("openai")).toBe("sk-old");
    expect(state.asked).toBe(1);
    await keys.set("anthropic", "sk-new");
    expect(keys.storageOf("anthropic")).toBe("keychain");
    expect(onDisk()).not.toContain("sk-new");
    const later = createKeyStore(path, box, {});
    await later.open(["openai", "anthropic"]);
    expect([later.find("openai"), later.find("anthropic")]).toEqual(["sk-old", "sk-new"]);
  });

  it("keeps a key that it refuses, names it locked, and opens it when asked again", async () => {
    const { box, state } = createBox();
    writeSealed({ openai: sealedKey("sk-a"), google: "bm90IHNlYWxlZCBoZXJl" });
    state.mood = "refuses";
    const keys = createKeyStore(path, box, { OPENAI_API_KEY: "sk-of-somebody-else" });
    await keys.open(["openai", "google"]);
    expect([keys.storageOf("openai"), keys.find("openai")]).toEqual(["locked", undefined]);
    await keys.open(["openai"]);
    expect(state.asked).toBe(2);
    state.mood = "works";
    await keys.unlock("openai");
    await keys.unlock("google");
    expect([keys.storageOf("openai"), keys.find("openai")]).toEqual(["keychain", "sk-a"]);
    expect(keys.storageOf("google")).toBe("locked");
    await keys.set("openai", "sk-b");
    expect(onDisk()).toContain("bm90IHNlYWxlZCBoZXJl");
  });

  it("does not wait for a keychain that hangs, and takes its answer when it comes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { box, state, answerAll } = createBox();
    writeSealed({ openai: sealedKey("sk-a") });
    state.mood = "hangs";
    const keys = createKeyStore(path, box, {});
    await runOut(keys.open(["openai"]));
    expect(keys.storageOf("openai")).toBe("locked");
    await runOut(keys.set("anthropic", "sk-new"));
    expect([keys.storageOf("anthropic"), keys.find("anthropic")]).toEqual(["memory", "sk-new"]);
    answerAll();
    await vi.waitUntil(() => keys.storageOf("anthropic") === "keychain");
    expect([keys.storageOf("openai"), keys.find("openai")]).toEqual(["keychain", "sk-a"]);
    expect(onDisk()).toContain(sealedKey("sk-new"));
  });

  it("writes nothing that is only disguised, and does not call what lies there a keychain", async () => {
    const { box, state } = createBox();
    writeSealed({ openai: sealedKey("sk-a", "v10:") });
    state.mood = "pretends";
    const keys = createKeyStore(path, box, {});
    await keys.open(["openai"]);
    expect([keys.storageOf("openai"), keys.find("openai")]).toEqual(["file", "sk-a"]);
    await keys.set("anthropic", "sk-new");
    expect(keys.storageOf("anthropic")).toBe("memory");
    expect(onDisk()).not.toContain(sealedKey("sk-new", "v10:"));
  });

  it.each([
    ["whose master key was changed", "real:", true],
    ["that was only disguised", "v10:", false],
  ])("seals a key anew %s", async (_name, mark, outdated) => {
    const { box, state } = createBox();
    state.outdated = outdated;
    writeSealed({ openai: sealedKey("sk-a", mark) });
    const seal = vi.spyOn(box, "seal");
    const keys = createKeyStore(path, box, {});
    await keys.open(["openai"]);
    expect(seal).toHaveBeenCalledExactlyOnceWith("sk-a");
    expect(onDisk()).toContain(sealedKey("sk-a"));
    expect(keys.storageOf("openai")).toBe("keychain");
  });

  it("lets the key that was set last win over one that was still being sealed or opened", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { box, state, answerAll } = createBox();
    writeSealed({ openai: sealedKey("sk-old") });
    state.mood = "hangs";
    const keys = createKeyStore(path, box, {});
    const opened = keys.open(["openai"]);
    const first = keys.set("openai", "sk-first");
    const second = keys.set("openai", "sk-second");
    const third = keys.set("google", "sk-gone");
    await keys.remove("google");
    answerAll();
    await runOut(Promise.all([opened, first, second, third]));
    expect(keys.find("openai")).toBe("sk-second");
    expect(onDisk()).toContain(sealedKey("sk-second"));
    expect(onDisk()).not.toContain(sealedKey("sk-first"));
    expect(keys.find("google")).toBeUndefined();
    expect(onDisk()).not.toContain(sealedKey("sk-gone"));
  });
});

describe("a broken file", () => {
  it.each([
    '{"version": 1, "storage": "file", "keys": {"openai": "sk-leak',
    '{"sk-leak": 1}',
    "[]",
    '"sk-leak"',
  ])("is set aside, private and named, and its content stays out of the warning: %s", (content) => {
    writeFileSync(path, content, { mode: 0o644 });
    const keys = createKeyStore(path, undefined, {});
    expect(keys.warnings).toHaveLength(1);
    expect(keys.warnings[0]).toContain(`${path}.broken`);
    expect(keys.warnings[0]).not.toContain("leak");
    expect(readFileSync(`${path}.broken`, "utf8")).toBe(content);
    if (process.platform !== "win32") expect(statSync(`${path}.broken`).mode & 0o777).toBe(0o600);
    expect(keys.find("openai")).toBeUndefined();
  });

  it("is not written over by the next broken one", () => {
    for (const content of ["first", "second"]) {
      writeFileSync(path, content);
      createKeyStore(path, undefined, {});
    }
    expect(readFileSync(`${path}.broken`, "utf8")).toBe("first");
    expect(readFileSync(`${path}.broken-2`, "utf8")).toBe("second");
  });
});

describe("a folder that other users can read", () => {
  it("gets no key in the clear, and says what to do; what the keychain sealed is kept all the same", async () => {
    const open = () => false;
    const plain = createKeyStore(path, undefined, {}, open);
    await expect(plain.set("openai", "sk-secret")).rejects.toThrow(/other users.*--data-dir/);
    expect([plain.find("openai"), existsSync(path)]).toEqual([undefined, false]);
    const sealed = createKeyStore(path, createBox().box, {}, open);
    await sealed.set("openai", "sk-secret");
    expect(sealed.storageOf("openai")).toBe("keychain");
    const asked: string[] = [];
    await createKeyStore(path, undefined, {}, (where) => asked.push(where) > 0).set("tavily", "tvly");
    expect(asked).toEqual([folder]);
  });

  it.runIf(process.platform !== "win32")("is told by its mode, where a system has modes", async () => {
    for (const mode of [0o750, 0o705]) {
      chmodSync(folder, mode);
      await expect(createKeyStore(path, undefined, {}).set("openai", "sk-secret")).rejects.toThrow(
        /other users/,
      );
    }
    expect(existsSync(path)).toBe(false);
    chmodSync(folder, 0o700);
    await createKeyStore(path, undefined, {}).set("openai", "sk-secret");
    expect(existsSync(path)).toBe(true);
  });

  it("is asked about where the system is Windows, and counts as one when Windows' tools are not there", async () => {
    const platform = Object.getOwnPropertyDescriptor(process, "platform")!;
    const { SystemRoot } = process.env;
    process.env.SystemRoot = join(folder, "no Windows");
    Object.defineProperty(process, "platform", { ...platform, value: "win32" });
    onTestFinished(() => {
      Object.defineProperty(process, "platform", platform);
      if (SystemRoot === undefined) delete process.env.SystemRoot;
      else process.env.SystemRoot = SystemRoot;
    });
    await expect(createKeyStore(path, undefined, {}).set("openai", "sk-secret")).rejects.toThrow(
      /other users/,
    );
    expect(existsSync(path)).toBe(false);
  });
});

const doors = ["keychain", "without keychain", "browser"] as const;
const names = ["openai", "anthropic", "tavily"] as const satisfies KeyName[];
const anyStep = fc.record({
  door: fc.constantFrom(...doors),
  name: fc.constantFrom(...names),
  act: fc.constantFrom("set", "remove", "open"),
});

it("no door loses another door's keys, and a removed key is gone from disk, in any order of doors", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 25 }), async (steps) => {
      rmSync(path, { force: true });
      const kept = { sealed: new Map<string, string>(), plain: new Map<string, string>() };
      for (const [index, { door, name, act }] of steps.entries()) {
        const { box, state } = createBox();
        if (door === "without keychain") state.mood = "refuses";
        const keys = createKeyStore(path, door === "browser" ? undefined : box, {}, () => true);
        const key = `sk-${index}-secret`;
        if (act === "open") await keys.open([name]);
        else if (act === "remove") {
          await keys.remove(name);
          kept.sealed.delete(name);
          kept.plain.delete(name);
        } else {
          await keys.set(name, key);
          expect(keys.find(name)).toBe(key);
          if (door === "keychain") kept.sealed.set(name, sealedKey(key));
          if (door === "browser") kept.plain.set(name, key);
        }
        const file = existsSync(path) ? JSON.parse(onDisk()) : { sealed: {}, plain: {} };
        expect(file.sealed).toEqual(Object.fromEntries(kept.sealed));
        expect(file.plain).toEqual(Object.fromEntries(kept.plain));
      }
    }),
    { numRuns: runsOf(60) },
  );
});
