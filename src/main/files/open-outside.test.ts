/** Files and folders reach real programs on this machine's PATH, only from inside the workspace, and a failure has words. */
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type How, openOutside } from "./open-outside.ts";

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "outside-")));
  workspace = join(root, "work");
  await mkdir(join(root, "bin"));
  await mkdir(workspace);
});
afterEach(() => rm(root, { recursive: true }));

/** Stands in for the desktop, which a machine for tests has not. */
async function install(name: string, code = 0): Promise<void> {
  const path = join(root, "bin", name);
  await writeFile(path, `#!/bin/sh\nprintf '%s|' ${name} "$@" >> "${root}/got"\nexit ${code}\n`);
  await chmod(path, 0o755);
}
const machine = (env: NodeJS.ProcessEnv = {}) => ({
  platform: "linux" as const,
  isWsl: false,
  env: { PATH: join(root, "bin"), ...env },
});
const got = () => readFile(join(root, "got"), "utf8").catch(() => "");
const openPath = (path: string, how: How = "editor", env?: NodeJS.ProcessEnv) =>
  openOutside(workspace, path, how, machine(env));

describe.skipIf(process.platform === "win32")("openOutside", () => {
  it("opens a text, and the workspace", async () => {
    await install("xdg-open");
    await writeFile(join(workspace, "a b;$(x).md"), "text");
    expect(await openPath("a b;$(x).md")).toBe("editor");
    expect(await openPath("", "folder")).toBe("folder");
    expect(await got()).toBe(`xdg-open|${workspace}/a b;$(x).md|xdg-open|${workspace}|`);
  });

  it("shows a script in its folder, and opens it only in an editor of the person", async () => {
    await install("xdg-open");
    await install("code");
    await mkdir(join(workspace, "bin"));
    await writeFile(join(workspace, "bin", "x.sh"), "echo hi");
    expect(await openPath("bin/x.sh")).toBe("folder");
    expect(await got()).toBe(`xdg-open|${workspace}/bin|`);
    expect(await openPath("bin/x.sh", "editor", { VISUAL: "code" })).toBe("editor");
    expect(await got()).toContain(`code|${workspace}/bin/x.sh|`);
  });

  it("goes to what a link leads to, and nowhere outside the workspace", async () => {
    await install("xdg-open");
    await writeFile(join(workspace, "run.sh"), "#!/bin/sh");
    await symlink("run.sh", join(workspace, "notes.md"));
    expect(await openPath("notes.md")).toBe("folder");
    await writeFile(join(root, "secret.md"), "text");
    await symlink(join(root, "secret.md"), join(workspace, "out.md"));
    for (const path of ["../secret.md", join(root, "secret.md"), "out.md", "~/.profile", "/etc/passwd"])
      await expect(openPath(path), path).rejects.toMatchObject({ code: "outside" });
    expect(await got()).toBe(`xdg-open|${workspace}|`);
  });

  it("says where it lies when no program takes it, and what is not there", async () => {
    await writeFile(join(workspace, "a.md"), "text");
    await expect(openPath("a.md")).rejects.toThrow(
      `No program here took it (xdg-open is not installed). It lies at ${workspace}/a.md.`,
    );
    await install("xdg-open", 4);
    await expect(openPath("a.md", "folder")).rejects.toThrow("xdg-open ended with code 4");
    await expect(openPath("none.md")).rejects.toMatchObject({ code: "not-found" });
  });
});
