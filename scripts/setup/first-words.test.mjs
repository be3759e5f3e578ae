/** What each command of the project says first where it cannot work: on an old Node, and on a Linux without a compiler. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "./project.mjs";

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const commands = [
  ...new Set(Object.values(scripts).flatMap((text) => /^node (scripts\/\S+)$/.exec(text)?.[1] ?? [])),
];

describe("on an old Node", () => {
  it.each(commands)("%s says so in one line, and nothing else", (script) => {
    const pretend = `data:text/javascript,Object.defineProperty(process.versions, "node", { value: "18.20.8" })`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", pretend, join(root, script)],
      {
        encoding: "utf8",
      },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^countersign: Node 18\.20\.8 is too old\. Install Node 20\.12[^\n]*\n$/),
    });
  });

  it.each(commands)("%s gets as far as that: it uses nothing that only a newer one has", (script) => {
    const found = filesBehind(join(root, script)).filter((file) =>
      /\bimport\.meta\.(dirname|filename|resolve)\b|\bwith \{ type:/.test(readFileSync(file, "utf8")),
    );
    expect(found).toEqual([]);
  });
});

/** The file and all it imports from the project before it begins. */
function filesBehind(file, seen = new Set()) {
  if (seen.has(file)) return [...seen];
  seen.add(file);
  for (const [, path] of readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^;]*?"(\.[^"]+)";$/gms))
    filesBehind(join(dirname(file), path), seen);
  return [...seen];
}

describe.skipIf(process.platform !== "linux")("without a compiler", () => {
  let folder;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign bäre "));
    mkdirSync(join(folder, "bin"));
    cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
    for (const name of ["package.json", "package-lock.json"]) cpSync(join(root, name), join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("a fresh folder says what is missing and how to get it, before it downloads anything", () => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "scripts", "start.mjs")], {
      encoding: "utf8",
      env: { PATH: join(folder, "bin") },
    });
    expect(stderr).toMatch(
      /^countersign: [^\n]*python3 and make and g\+\+ are missing\.[^\n]*apt-get[^\n]*\n$/,
    );
    expect([status, readdirSync(folder).includes("node_modules")]).toEqual([1, false]);
  });
});
