import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eachSteeringText, folderPlace } from "../agent-files/steering-texts.ts";
import { isInside } from "../paths/real-of.ts";
import { classifyName } from "../policy/sensitive-names.ts";
import { commandFolder, folderRulesFile, instructionFiles, skillFolders } from "../policy/steering-files.ts";
import { findObeyed, findSteering, listNew, listSteering, widthToWrite } from "./guarded-places.ts";

it("looks below for what agents and shells obey wherever it lies, and for nothing else there", () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "countersign-below-")));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  const obeyed = ["a/AGENTS.md", "a/b/CLAUDE.md", "a/b/c/.envrc", "a/.claude/settings.json", "x/mise.toml"];
  const plain = ["a/package.json", "a/.vscode/tasks.json", "a/.npmrc", "node_modules/p/AGENTS.md"];
  for (const file of [...obeyed, ...plain, "Makefile", "package.json"]) {
    mkdirSync(dirname(join(workspace, file)), { recursive: true });
    writeFileSync(join(workspace, file), "x");
  }
  const looked = [...listSteering(workspace).keys()].map((path) => path.slice(workspace.length + 1));
  expect(looked.toSorted()).toEqual(
    ["a/AGENTS.md", "a/b/CLAUDE.md", "a/b/c/.envrc", "a/.claude", "x/mise.toml"].toSorted(),
  );
});

it("looks for that however deep it lies, guards as much of it as there is room for, and says what writing it takes", () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "countersign-deep-")));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  const deep = "a/b/c/d/e/f/AGENTS.md";
  const files = [
    "AGENTS.md",
    "a/CLAUDE.md",
    "a/b/.cursor/rules/x.mdc",
    deep,
    "a/b/.cursor/AGENTS.md",
    "docs/x.md",
  ];
  for (const file of files) {
    mkdirSync(dirname(join(workspace, file)), { recursive: true });
    writeFileSync(join(workspace, file), "x");
  }
  symlinkSync("../docs/x.md", join(workspace, "a/GEMINI.md"));
  const guarded = (most: number) =>
    findObeyed(workspace, most).map((path) => path.slice(workspace.length + 1));
  expect(guarded(50)).toEqual(["a/CLAUDE.md", "a/b/.cursor", deep]);
  expect([guarded(2), guarded(0), guarded(-1)]).toEqual([["a/CLAUDE.md", "a/b/.cursor"], [], []]);
  for (const file of files.slice(0, 5)) expect([file, widthToWrite(file)]).toEqual([file, "outside"]);
  expect(widthToWrite("docs/x.md")).toBe("workspace");
});

/** What each of these reads or runs by itself, by what it documents: on the way into a folder, or when git or an editor acts. */
const obeyedBy = {
  mise: "mise.toml mise.local.toml .mise.toml mise.dev.toml .mise/config.toml mise/config.toml mise/config.dev.toml mise/conf.d/a.toml .config/mise.toml .config/mise.dev.toml .config/mise/config.toml .config/mise/conf.d/a.toml .tool-versions .rtx.toml",
  direnv: ".envrc .direnv/bin/a devenv.nix devenv.yaml flake.nix shell.nix",
  asdf: ".tool-versions .asdfrc .asdf/a",
  devbox: "devbox.json .devbox/gen/scripts/.hooks.sh",
  just: ".justfile",
  lefthook:
    "lefthook.yml lefthook.toml .lefthook.yaml .lefthook.toml lefthook-local.yml .lefthook-local.json .config/lefthook.yml .config/lefthook-local.yml .lefthook/pre-commit/a.sh .lefthookrc",
  husky: ".husky/pre-commit .config/husky/pre-commit .huskyrc.json husky.config.js",
  "pre-commit": ".pre-commit-config.yaml .pre-commit-hooks.yaml prek.toml",
  hk: "hk.pkl .config/hk.pkl hk.local.pkl",
  others:
    ".shadowenv.d/a.lisp .autoenv_leave.zsh .onenter .smartcd/a .overcommit.yml .simple-git-hooks.json simple-git-hooks.cjs captainhook.json .cargo-husky/hooks/a .prototools .nvmrc",
  forges: ".github/workflows/a.yml .gitea/actions/a .forgejo/workflows/a .github/chatmodes/a.chatmode.md",
} as const;

it.each(Object.entries(obeyedBy))(
  "guards what %s obeys by itself, in whatever folder of its own",
  (_, files) => {
    const [full, empty] = ["full", "empty"].map(() => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-obeyed-")));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      return folder;
    }) as [string, string];
    const put = (path: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "x");
    };
    const names = files.split(" ");
    for (const name of names) put(join(full, name));
    const mounted = findSteering(full);
    for (const name of names) {
      const before = listSteering(empty);
      put(join(empty, name));
      const made = listNew(before, listSteering(empty));
      const isIn = (places: readonly string[], path: string) => places.some((place) => isInside(place, path));
      const asks =
        classifyName(join(full, name), { workspace: full, home: "/home/a" }).protected !== undefined;
      const found = [
        isIn(mounted, join(full, name)),
        isIn(made, join(empty, name)),
        widthToWrite(name),
        asks,
      ];
      expect([name, ...found]).toEqual([name, true, true, "outside", true]);
      rmSync(join(empty, name.replace(/\/.*/, "")), { recursive: true });
    }
  },
);

it("looks for what shells obey in a folder of its own below too, and at a link in the place of such a folder", () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "countersign-own-folders-")));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  for (const folder of ["a/.config/mise", "a/mise", "a/.config/other", ".config", "elsewhere"])
    mkdirSync(join(workspace, folder), { recursive: true });
  for (const file of [
    "a/mise/config.toml",
    "a/mise/notes.toml",
    ".config/nextest.toml",
    ".config/mise-notes",
  ])
    writeFileSync(join(workspace, file), "x");
  const looked = () => [...listSteering(workspace).keys()].map((path) => path.slice(workspace.length + 1));
  expect(looked().toSorted()).toEqual(["a/.config/mise", "a/mise/config.toml"]);
  rmSync(join(workspace, ".config"), { recursive: true });
  symlinkSync("elsewhere", join(workspace, ".config"));
  expect(looked()).toContain(".config");
  for (const name of [".config", ".github"])
    expect(classifyName(join(workspace, name), { workspace, home: "/home/a" }).protected).toBeDefined();
});

it("guards every text of a folder that steers agents, and the policy asks before one is written", () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "countersign-guarded-")));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  const skills = skillFolders.map((folder) => `${folder}/a/SKILL.md`);
  const made = [folderRulesFile, ...instructionFiles, ...skills, `${commandFolder}/go.md`];
  for (const file of made) {
    mkdirSync(dirname(join(workspace, file)), { recursive: true });
    writeFileSync(join(workspace, file), "x");
  }
  const read = [...eachSteeringText(folderPlace(workspace))].flatMap((text) => (text ? [text.file] : []));
  expect(read.toSorted()).toEqual(made.toSorted());
  const [mounted, looked] = [findSteering(workspace), [...listSteering(workspace).keys()]];
  for (const file of read) {
    const path = join(workspace, file);
    const isIn = (places: readonly string[]) => places.some((place) => isInside(place, path));
    const asks = classifyName(path, { workspace, home: "/home/a" }).protected !== undefined;
    expect([file, isIn(mounted), isIn(looked), widthToWrite(file), asks]).toEqual([
      ...[file, true, true],
      ...["outside", true],
    ]);
  }
});
