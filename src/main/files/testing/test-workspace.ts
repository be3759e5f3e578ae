/** A real workspace on disk for tests, with a secret beside it that nothing may reach. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createWorkspaceFiles } from "../workspace-files.ts";

export type TestWorkspace = {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  /** Writes a file of the workspace, with its folders, and returns its real path. */
  put(path: string, content: string | Uint8Array): string;
};

/** Made anew, removed when the test ends. `outside/secret.txt` holds `TOP SECRET needle`. */
export function makeWorkspace(): TestWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "root");
  const outside = join(base, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "TOP SECRET needle");
  return {
    base,
    root,
    outside,
    put(path, content) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}

/** Everything below the folder, with `/` between names. */
export function listed(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** A workspace with files worth finding and links that lead in, out and nowhere. */
export function makeLinked() {
  const workspace = makeWorkspace();
  const { root, outside, put } = workspace;
  put("in.txt", "inside needle");
  put("a..b.txt", "dots");
  put("app/[...slug].tsx", "slug needle");
  put("src/deep/code.ts", "one\ntwo needle\r\nthree");
  symlinkSync(outside, join(root, "dirlink"));
  symlinkSync(join(outside, "secret.txt"), join(root, "filelink"));
  symlinkSync(join(root, "in.txt"), join(root, "inlink"));
  symlinkSync(join(root, "src"), join(root, "srclink"));
  symlinkSync(join(outside, "new.txt"), join(root, "dangling"));
  return { ...workspace, files: createWorkspaceFiles(root) };
}

/**
 * Runs `code` in a Node process as a person whom permissions bind, with `name` of the module in this
 * room imported, and returns what it printed. A privileged test run would pass every permission check.
 */
export function runUnprivileged(module: string, name: string, code: string): string {
  const script = `import { ${name} } from ${JSON.stringify(new URL(module, new URL("..", import.meta.url)).href)};\n${code}`;
  const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const flags = ["--no-warnings", "--input-type=module", "-e", script];
  return execFileSync(process.execPath, flags, { encoding: "utf8", cwd: "/", ...ordinary });
}
