import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { eachSteeringText, folderPlace } from "../agent-files/steering-texts.ts";
import { isInside } from "../files/real-path.ts";
import { classifyName } from "../policy/sensitive-names.ts";
import { commandFolder, folderRulesFile, instructionFiles, skillFolders } from "../policy/steering-files.ts";
import { findSteering, listSteering, widthToWrite } from "./guarded-places.ts";

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
