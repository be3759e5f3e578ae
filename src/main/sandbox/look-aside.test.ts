import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lookAside, takeIn } from "./look-aside.ts";

/** A workspace in which these were moved aside. */
function makeAside(files: Record<string, string | Buffer>) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "countersign-look-")));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  const put = (name: string, text: string | Buffer) => {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  };
  for (const [name, text] of Object.entries(files)) put(name, text);
  const read = (name: string) => readFileSync(join(workspace, name), "utf8");
  return { workspace, put, read, list: () => readdirSync(workspace).toSorted() };
}

const agents = "AGENTS.md.made-confined";
const editor = ".vscode.made-confined-2";

describe.skipIf(process.platform !== "linux")("what was moved aside", () => {
  it("is shown by the names it had, each file of a folder with what it says and whether it runs", () => {
    const { workspace } = makeAside({
      [agents]: "obey\n",
      [`${editor}/b.json`]: "{}",
      [`${editor}/a.sh`]: "x",
    });
    chmodSync(join(workspace, editor, "a.sh"), 0o755);
    expect(lookAside(workspace, [agents, editor])).toMatchObject({
      whole: true,
      files: [
        { path: "AGENTS.md", text: "obey\n", runs: false },
        { path: ".vscode/a.sh", text: "x", runs: true },
        { path: ".vscode/b.json", text: "{}", runs: false },
      ],
    });
  });

  it("is put where it was made once, however often that is done", () => {
    const { workspace, read, list } = makeAside({ [agents]: "obey", [`${editor}/a`]: "x" });
    const names = [agents, editor];
    const { hash } = lookAside(workspace, names);
    expect([takeIn(workspace, names, hash), takeIn(workspace, names, hash)]).toEqual([true, true]);
    expect([list(), read("AGENTS.md"), read(".vscode/a")]).toEqual([[".vscode", "AGENTS.md"], "obey", "x"]);
  });

  it.each<[string, (world: ReturnType<typeof makeAside>) => void]>([
    ["says something else by now", ({ put }) => put(agents, "more")],
    ["runs by now", ({ workspace }) => chmodSync(join(workspace, agents), 0o755)],
    ["holds more by now", ({ put }) => put(`${editor}/more`, "x")],
    ["is gone", ({ workspace }) => rmSync(join(workspace, agents))],
    ["has something in its place", ({ put }) => put("AGENTS.md", "mine")],
    ["has a link in its place", ({ workspace }) => symlinkSync("nowhere", join(workspace, "AGENTS.md"))],
  ])("stays aside where it %s", (_, change) => {
    const world = makeAside({ [agents]: "obey", [`${editor}/a`]: "x" });
    const names = [editor, agents];
    const { hash } = lookAside(world.workspace, names);
    change(world);
    const before = world.list().filter((name) => !name.startsWith(".vscode"));
    expect(takeIn(world.workspace, names, hash)).toBe(false);
    expect(world.list().filter((name) => !name.startsWith(".vscode"))).toEqual(before);
    expect(existsSync(join(world.workspace, ".vscode"))).toBe(false);
  });

  it("is not all shown, and never taken in, where it is long, no text, many files or a link", () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`${editor}/${at}`, "x"]));
    for (const files of [{ [agents]: "x".repeat(17_000) }, { [agents]: Buffer.from([0xff, 0xfe]) }, many]) {
      const { workspace } = makeAside(files);
      const names = [Object.keys(files)[0]!.split("/")[0]!];
      const { whole, hash } = lookAside(workspace, names);
      expect(whole).toBe(false);
      takeIn(workspace, names, hash);
      expect(readdirSync(workspace)).toEqual(names);
    }
    const { workspace } = makeAside({});
    symlinkSync("/etc/hostname", join(workspace, agents));
    expect(lookAside(workspace, [agents])).toMatchObject({ whole: false, files: [] });
  });
});
