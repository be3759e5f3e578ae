/** Policy and files take every spelling of a path for the same place, and look at nothing that a person has to allow first. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Disk, locate } from "../files/real-path.ts";
import { resolveIn } from "../policy/disk.ts";
import { judgeFile, leavesWorkspace } from "../policy/judge-file.ts";
import { placePath } from "../policy/path-place.ts";
import { makeContext } from "../policy/testing/make-context.ts";
import { forFiles, styleOfFiles } from "./own-style.ts";
import { DiskDouble } from "./testing/disk-double.ts";
import { askFiles, askPolicy, contextOf, far, type System, systems } from "./testing/two-readers.ts";
import { windowsStyle } from "./windows-style.ts";

describe.each(Object.entries(systems))("on %s", (name, system) => {
  const { spellings, makeDisk, root } = system;

  it("policy and files agree on a hundred spellings and more, as the table has them", async () => {
    expect(new Set(spellings.map(([text]) => text)).size).toBeGreaterThanOrEqual(100);
    const answers = await Promise.all(
      spellings.map(async ([text]) => [
        text,
        askPolicy(text, system, makeDisk()),
        await askFiles(text, system, makeDisk()),
      ]),
    );
    expect(answers).toEqual(spellings.map(([text, to]) => [text, to, to]));
  });

  it("nothing looks at a machine, a drive or a device that no person allowed, by itself or through a link", async () => {
    for (const [text, to] of spellings) {
      const names = makeDisk();
      const context = contextOf(system, names);
      for (const operation of ["read", "write", "delete"] as const)
        judgeFile({ operation, path: text }, { ...context, rules: [] });
      const disk: Disk = { style: system.style, names, home: system.home };
      for (const options of [{}, { allowOutside: true }, { elsewhereByText: true }, { keepLink: true }])
        await locate(root, text, options, disk).catch(() => undefined);
      if (to === "elsewhere" || to === "no file") expect(names.looks, text).toEqual([]);
      // Linux has no name that is a machine.
      const asked = name === "Linux" ? [] : names.looks.filter((path) => far.test(path));
      expect(asked, text).toEqual([]);
    }
  });

  it("what leaves the workspace says so, whatever the verdict is for", () => {
    for (const [text, to] of spellings) {
      const context = { ...contextOf(system, makeDisk()), rules: [] };
      for (const operation of ["read", "write", "delete"] as const) {
        const verdict = judgeFile({ operation, path: text }, context);
        expect(leavesWorkspace(verdict), `${operation} ${text}`).toBe(
          to === "elsewhere" || to.startsWith("> "),
        );
        if (to.startsWith("> ") || ["elsewhere", "no file", "unknown"].includes(to))
          expect(verdict.verdict, text).toBe("ask");
      }
    }
  });

  it("a person who saw such a path and allowed it reaches just that one", async () => {
    for (const [text, to] of spellings.filter(([, leadsTo]) => leadsTo === "elsewhere")) {
      const names = makeDisk();
      const disk: Disk = { style: system.style, names, home: system.home };
      const { path: shownPath, inside } = await locate(root, text, { elsewhereByText: true }, disk);
      expect([inside, names.looks], to).toEqual([false, []]);
      const other = { allowOutside: true, shownPath: `${shownPath}x` };
      await expect(locate(root, text, other, disk)).rejects.toThrow();
      expect(names.looks).toEqual([]);
      await locate(root, text, { allowOutside: true, shownPath }, disk).catch(() => undefined);
      expect(
        names.looks.every((path) => path.toLowerCase().startsWith(shownPath.toLowerCase().slice(0, 3))),
        text,
      ).toBe(true);
    }
  });
});

describe("a workspace on a share", () => {
  const root = "\\\\nas\\projects\\team\\app";
  const style = forFiles(windowsStyle);
  const tree = ["team", "team\\app", "team\\app\\a.ts"].map((name) => `\\\\nas\\projects\\${name}`);

  it.each([
    ["a.ts", "a.ts"],
    ["\\\\NAS\\Projects\\Team\\App\\A.ts", "a.ts"],
    ["//nas/projects/team/app/new.ts", "new.ts"],
    ["\\\\nas\\projects\\team\\other.txt", "elsewhere"],
    ["..\\other.txt", "elsewhere"],
    ["\\\\nas\\private\\x", "elsewhere"],
    ["\\\\evil\\projects\\team\\app\\a.ts", "elsewhere"],
    ["C:\\x", "elsewhere"],
  ])("reaches below its own root alone: %s", async (text, to) => {
    const system: System = {
      style,
      root,
      home: "C:\\Users\\ada",
      spellings: [],
      makeDisk: () => new DiskDouble(tree, { folds: true }),
    };
    const names = system.makeDisk();
    expect([askPolicy(text, system, names), await askFiles(text, system, system.makeDisk())]).toEqual([
      to,
      to,
    ]);
    expect(
      names.looks.every((path) => path.startsWith("\\\\nas\\projects\\team") || path.startsWith("\\\\NAS")),
    ).toBe(true);
  });
});

describe("on this machine's own disk", () => {
  it("policy and files agree, also on names in another case", async () => {
    const root = realpathSync.native(mkdtempSync(join(tmpdir(), "Countersign-Place-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, "Src"));
    writeFileSync(join(root, "Src", "A.ts"), "");
    const style = styleOfFiles(process.platform);
    const workspace = style.fromNative(root);
    const home = style.fromNative(homedir());
    const context = makeContext({
      paths: style,
      workspace,
      cwd: workspace,
      home,
      resolvePath: resolveIn(style, { workspace, home }),
    });
    const texts = [
      "Src/A.ts",
      "src/a.TS",
      "Src/../Src/new.txt",
      join(root, "Src"),
      join(root, "..", "x"),
      "~/x",
    ];
    for (const text of texts) {
      const place = placePath(text, workspace, context);
      const located = await locate(root, text, { allowOutside: true });
      expect([place.inside, place.real && style.toNative(place.real)], text).toEqual([
        located.inside,
        located.path,
      ]);
    }
    const { path } = await locate(root, "src/a.ts");
    expect(path).toBe(process.platform === "linux" ? join(root, "src", "a.ts") : join(root, "Src", "A.ts"));
  });
});
