/** A start that meets a broken file goes on and says so; one that cannot go on leaves nothing open. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHost } from "./create-host.ts";
import type { Host, HostOptions } from "./host.ts";
import { type Folders, makeFolders, removeFolders } from "./testing/host-fixture.ts";

let folders: Folders;
let host: Host | undefined;

beforeEach(async () => {
  folders = await makeFolders();
  mkdirSync(folders.dataDir);
});

afterEach(async () => {
  await host?.close();
  host = undefined;
  await removeFolders(folders);
});

const open = (extra: Partial<HostOptions> = {}) =>
  createHost({ dataDir: folders.dataDir, mode: "browser", version: "0.0.0-test", ...extra });

describe("a broken file in the data directory", () => {
  it.each([
    ["models.json", { baseUrls: { openai: "no address" } }, /baseUrls\.openai/],
    [
      "models.json",
      { prices: [{ provider: "openai", model: "m", price: { input: "1" } }] },
      /prices\.0\.price/,
    ],
    ["models.json", "{ not json", /JSON/],
    ["settings.json", { theme: "loud" }, /theme/],
  ])("%s is kept aside with a warning that names it and what is wrong", async (name, content, field) => {
    const path = join(folders.dataDir, name);
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(path, text);
    host = await open();
    const [warning] = host.info.warnings;
    expect(warning).toContain(`${path}.broken`);
    expect(warning).toMatch(field);
    expect(readFileSync(`${path}.broken`, "utf8")).toBe(text);
    expect(existsSync(path)).toBe(false);
    await host.close();
    host = await open();
    expect(host.info.warnings).toEqual([]);
  });
});

it.each([
  [
    "settings.json",
    { webSearch: { provider: "searxng", url: "https://ada:secret@search.example" }, sandbox: "require" },
    { sandbox: "require" },
    /webSearch\.url: Leave the name and password out/,
  ],
  [
    "settings.json",
    { ofALaterVersion: 1, theme: "loud", fontSize: 17 },
    { fontSize: 17 },
    /ofALaterVersion.*theme|theme.*ofALaterVersion/,
  ],
  ["models.json", { baseUrls: { openai: "no address" }, prices: [] }, { prices: [] }, /baseUrls\.openai/],
])(
  "of a %s with wrong fields the others hold, and the warning names what was dropped",
  async (name, content, rest, field) => {
    const path = join(folders.dataDir, name);
    writeFileSync(path, JSON.stringify(content), { mode: 0o644 });
    host = await open();
    const [warning, more] = host.info.warnings;
    expect(more).toBeUndefined();
    expect(warning).toMatch(field);
    expect(warning).toContain(`${path}.broken`);
    expect(warning).not.toContain("secret");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(rest);
    expect(JSON.parse(readFileSync(`${path}.broken`, "utf8"))).toEqual(content);
    if (process.platform !== "win32") expect(statSync(`${path}.broken`).mode & 0o777).toBe(0o600);
    await host.close();
    host = await open();
    expect(host.info.warnings).toEqual([]);
  },
);

describe("a start that fails", () => {
  /** The files of the data directory that this process has open. */
  function openFiles(): string[] {
    return readdirSync("/proc/self/fd").flatMap((descriptor) => {
      try {
        const target = readlinkSync(`/proc/self/fd/${descriptor}`);
        return target.startsWith(folders.dataDir) ? [target] : [];
      } catch {
        // The one that read the folder.
        return [];
      }
    });
  }

  it.runIf(process.platform === "linux")(
    "for want of its workspace leaves no file open and no lock held",
    async () => {
      const missing = join(folders.root, "missing");
      await expect(open({ workspace: missing })).rejects.toThrow(missing);
      expect(openFiles()).toEqual([]);
      host = await open({ workspace: folders.workspace });
      expect(openFiles()).not.toEqual([]);
    },
  );
});

describe("a data directory that cannot be one", () => {
  const file = (path: string) => {
    writeFileSync(path, "");
    return path;
  };
  const folder = (path: string) => {
    mkdirSync(path, { recursive: true });
    return path;
  };
  const odd: [string, (dir: string) => string | undefined, RegExp][] = [
    ["a file", (dir) => file(dir), /a file stands where a folder is needed/],
    ["below a file", (dir) => join(file(dir), "data"), /a file stands/],
    ["whose log folder is a file", (dir) => void file(join(folder(dir), "logs")), /logs: a file/],
    [
      "whose database is a folder",
      (dir) => void mkdirSync(join(dir, "countersign.db"), { recursive: true }),
      /databases/,
    ],
    [
      "whose lock is a folder",
      (dir) => void mkdirSync(join(dir, "lock.db"), { recursive: true }),
      /databases/,
    ],
    [
      "whose rules are a folder",
      (dir) => void mkdirSync(join(dir, "rules.json"), { recursive: true }),
      /rules\.json: a folder stands/,
    ],
    [
      "whose list of changed files is a folder",
      (dir) => void mkdirSync(join(dir, "changed-files.jsonl"), { recursive: true }),
      /changed-files\.jsonl: a folder stands/,
    ],
    ["with a name that is too long", (dir) => join(dir, "x".repeat(400)), /name is too long|no such place/],
  ];
  if (process.platform !== "win32") {
    odd.push(["in a circle of links", (dir) => void symlinkSync(dir, dir), /in a circle/]);
    for (const name of ["keys.json", "settings.json", "rules.json", "mcp.json", "countersign.db"])
      odd.push([
        `with a pipe for its ${name}`,
        (dir) => void execFileSync("mkfifo", [join(folder(dir), name)]),
        new RegExp(`${name} is neither a file nor a folder`),
      ]);
    odd.push([
      "with a link to a device for its models",
      (dir) => void symlinkSync("/dev/zero", join(folder(dir), "models.json")),
      /models\.json is neither/,
    ]);
  }
  // Node's own way to make a folder with its parents never ends there.
  if (process.platform === "linux")
    odd.push(["where nothing can be made", () => "/proc/countersign/data", /no such place|rights/]);

  it.each(odd)("%s is told in one plain sentence, without the system's words", async (_, make, sentence) => {
    const dir = join(folders.root, "odd");
    const dataDir = make(dir) ?? dir;
    const message = await createHost({ dataDir, mode: "browser", version: "0.0.0-test" }).then(
      (opened) => opened.close().then(() => "it started"),
      (error: Error) => error.message,
    );
    expect(message).toMatch(sentence);
    expect(message.replaceAll(folders.root, "")).not.toMatch(
      /E[A-Z]{3,}|SQLITE|unable to|illegal operation|mkdir|\n/,
    );
  });

  it.each(["settings.json", "models.json", "mcp.json"])(
    "but has a folder for its %s is used, and the warning is in plain words",
    async (name) => {
      mkdirSync(join(folders.dataDir, name));
      host = await open();
      expect(host.info.warnings.join("\n")).toContain("a folder stands where a file is needed");
      expect(host.info.warnings.join("\n")).not.toMatch(/EISDIR|illegal/);
    },
  );
});
