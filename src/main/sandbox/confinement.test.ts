import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ConfinedWidth, writeWidth } from "../../shared/width.ts";
import { fencesOf } from "./confinement.ts";

function makeFolder() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-fences-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [workspace, home, dataDir] = [join(root, "w"), join(root, "h"), join(root, "d")];
  for (const each of [workspace, home, dataDir]) mkdirSync(each);
  const fences = (width: ConfinedWidth = "workspace and git") =>
    fencesOf({ width, workspace, home, dataDir, cwd: workspace }).map((fence) => fence.join(" "));
  return { root, workspace, home, dataDir, fences };
}

describe.skipIf(process.platform !== "linux")("what holds a command", () => {
  it("is the same for each width but for the workspace", () => {
    const { fences, workspace } = makeFolder();
    const rest = (width: ConfinedWidth) =>
      fences(width).filter((fence) => !fence.endsWith(`bind ${workspace} ${workspace}`));
    expect(rest("read-only")).toEqual(rest("workspace"));
    expect(fences("read-only")).toContain(`--ro-bind ${workspace} ${workspace}`);
    expect(fences("workspace")).toContain(`--bind ${workspace} ${workspace}`);
  });

  it("leaves the network there only where it was granted, and the services' folder hidden with it", () => {
    const { fences } = makeFolder();
    expect(fences("workspace; network")).not.toContain("--unshare-net");
    expect(fences("workspace; network").find((fence) => fence.startsWith("--tmpfs /run"))).toMatch(
      /--remount-ro \/run$/,
    );
    for (const width of ["read-only", "workspace", "workspace; sockets"] as const)
      expect(fences(width)).toContain("--unshare-net");
  });

  it("writes in folders that were named, before the workspace and guarded like it, and in nothing that leads elsewhere", () => {
    const { root, workspace, fences } = makeFolder();
    const [named, inner] = [join(root, "named"), join(workspace, "inner")];
    for (const each of [join(named, ".vscode"), inner]) mkdirSync(each, { recursive: true });
    const all = fences(writeWidth({ files: "workspace", folders: [named, inner] }));
    const at = (fence: string) => all.indexOf(fence);
    expect(at(`--bind ${named} ${named}`)).toBeLessThan(at(`--bind ${workspace} ${workspace}`));
    expect(all).toContain(`--ro-bind ${named}/.vscode ${named}/.vscode`);
    expect(all.join("\n")).not.toContain(`--bind ${inner}`);
    const link = join(root, "link");
    symlinkSync(named, link);
    expect(() => fences(writeWidth({ files: "workspace", folders: [link] }))).toThrow(/leads elsewhere/);
    expect(() => fences(writeWidth({ files: "workspace", folders: [join(root, "d")] }))).toThrow(/records/);
  });

  it("hides the records of a console with another folder for them, and its own where that is the usual one", () => {
    const { home, dataDir, root } = makeFolder();
    const [usual, workspace] = [join(home, ".local/share/countersign"), join(root, "elsewhere")];
    for (const each of [usual, workspace]) mkdirSync(each, { recursive: true });
    const hides = (records: string, at: string) => {
      const how = { width: "workspace", workspace: at, home, dataDir: records, cwd: at } as const;
      return fencesOf(how).filter(([kind, place]) => kind === "--tmpfs" && place?.startsWith(root));
    };
    const hidden = (place: string) => ["--tmpfs", place, "--remount-ro", place];
    if (process.platform === "linux") {
      expect(hides(dataDir, workspace)).toEqual([hidden(usual), hidden(dataDir)]);
      expect(hides(usual, workspace)).toEqual([hidden(usual)]);
      expect(hides(dataDir, join(usual, "worktrees/1/app"))).toEqual([hidden(dataDir)]);
    }
  });

  it("hides the whole home where the person says so, and shows the workspace and programs in it", () => {
    const { home, dataDir } = makeFolder();
    const workspace = join(home, "app");
    for (const each of [workspace, join(home, ".cargo/bin")]) mkdirSync(each, { recursive: true });
    for (const each of [".cargo/credentials", ".netrc"]) writeFileSync(join(home, each), "");
    const hidden = { paths: [dataDir], home: true };
    const how = { width: "workspace", workspace, home, dataDir, cwd: workspace, hidden } as const;
    const all = fencesOf(how).map((fence) => fence.join(" "));
    const at = (fence: string) => all.indexOf(fence);
    const order = [
      ...[`--tmpfs ${home}`, `--ro-bind ${home}/.cargo ${home}/.cargo`, `--bind ${workspace} ${workspace}`],
      ...[`--remount-ro ${home}`, `--ro-bind /dev/null ${home}/.cargo/credentials`],
    ].map(at);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order.includes(-1)).toBe(false);
    expect(all.join("\n")).not.toContain(".netrc");
    const ofHome = fencesOf({ ...how, workspace: home, cwd: home }).map((fence) => fence.join(" "));
    expect(ofHome).not.toContain(`--tmpfs ${home}`);
  });

  it("hides what is secret after everything else was put up, and makes nothing that is not there", () => {
    const { fences, home, dataDir, workspace } = makeFolder();
    writeFileSync(join(home, ".npmrc"), "");
    const all = fences();
    const at = (fence: string) => all.indexOf(fence);
    expect(at(`--ro-bind /dev/null ${home}/.npmrc`)).toBeGreaterThan(at(`--bind ${workspace} ${workspace}`));
    expect(at(`--tmpfs ${dataDir} --remount-ro ${dataDir}`)).toBeGreaterThan(
      at(`--bind ${workspace} ${workspace}`),
    );
    expect(all.join("\n")).not.toContain(".ssh");
    expect(all.join("\n")).not.toContain(".vscode");
  });

  it("hides nothing a second time in what is hidden as a whole, where nothing could be put", () => {
    const { home, dataDir, workspace } = makeFolder();
    for (const name of [".kube", ".ssh", "d/private/in"]) mkdirSync(join(home, name), { recursive: true });
    for (const name of [".kube/config", ".ssh/id_rsa", "d/private/in/key"])
      writeFileSync(join(home, name), "");
    const paths = [join(home, ".kube/config"), join(home, "d"), join(home, "d/private")];
    const how = { width: "workspace", workspace, home, dataDir, cwd: workspace } as const;
    const all = fencesOf({ ...how, hidden: { paths, home: false } }).map((fence) => fence.join(" "));
    const hidden = all.filter((fence) => fence.includes(`${home}/`));
    expect(hidden.toSorted()).toEqual(
      [".kube", ".ssh", "d"].map((name) => `--tmpfs ${home}/${name} --remount-ro ${home}/${name}`).toSorted(),
    );
  });

  it.each(["", "worktrees", "worktrees/1"])(
    "hides the app's records also where %s of them is the workspace, but for a worktree",
    (below) => {
      const { home, dataDir } = makeFolder();
      const lastOf = (folder: string) => {
        const workspace = join(dataDir, folder);
        mkdirSync(workspace, { recursive: true });
        const how = { width: "workspace", workspace, home, dataDir, cwd: workspace } as const;
        return fencesOf(how).at(-2)?.join(" ");
      };
      expect(lastOf(below)).toBe(`--tmpfs ${dataDir} --remount-ro ${dataDir}`);
      expect(lastOf("worktrees/1/app")).not.toContain(`--tmpfs ${dataDir}`);
    },
  );

  it("believes no `.git` file that names a repository which does not name it too", () => {
    const { fences, workspace, root } = makeFolder();
    const repository = join(root, "elsewhere/.git");
    const folder = join(repository, "worktrees/w");
    for (const name of ["hooks", "objects"]) mkdirSync(join(repository, name), { recursive: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "commondir"), "../..\n");
    writeFileSync(join(folder, "gitdir"), `${root}/other/.git\n`);
    writeFileSync(join(workspace, ".git"), `gitdir: ${folder}\n`);
    expect(fences().join("\n")).not.toContain(repository);
    expect(fences()).toContain(`--ro-bind ${workspace}/.git ${workspace}/.git`);
    writeFileSync(join(folder, "gitdir"), `${workspace}/.git\n`);
    expect(fences()).toContain(`--bind ${repository} ${repository}`);
    expect(fences()).toContain(`--ro-bind ${repository}/hooks ${repository}/hooks`);
    expect(fences()).toContain(`--ro-bind ${workspace}/.git ${workspace}/.git`);
    expect(fences("workspace")).toContain(`--ro-bind ${repository} ${repository}`);
  });

  it.each(["/", "/tmp", "/proc", "/run"])(
    "is refused for a workspace %s that would uncover the system's",
    (workspace) => {
      const { home, dataDir } = makeFolder();
      const how = { width: "workspace", workspace, home, dataDir, cwd: workspace } as const;
      expect(() => fencesOf(how)).toThrow("what the system needs");
    },
  );

  it("lets what agents obey below be read alone, the nearest first, as far as there is room beside the rest", () => {
    const { fences, workspace } = makeFolder();
    const at = (name: string) => join(workspace, name);
    for (let index = 0; index < 40; index++) mkdirSync(at(`r${index}/.git`), { recursive: true });
    for (let index = 0; index < 20; index++) {
      mkdirSync(at(`p/p${index}`), { recursive: true });
      writeFileSync(at(`p/p${index}/AGENTS.md`), "");
    }
    writeFileSync(at("p/CLAUDE.md"), "");
    const obeyed = () => fences().filter((fence) => /^--ro-bind .*\.md$/.test(fence));
    expect([obeyed().length, obeyed()[0]]).toEqual([
      9,
      `--ro-bind ${at("p/CLAUDE.md")} ${at("p/CLAUDE.md")}`,
    ]);
    const all = fences();
    expect(all.indexOf(obeyed()[0] ?? "")).toBeGreaterThan(all.indexOf(`--bind ${workspace} ${workspace}`));
    expect(fences("read-only").filter((fence) => fence.includes(".md"))).toEqual([]);
  });

  it("is refused where more would have to be guarded than can be", () => {
    const { fences, workspace } = makeFolder();
    for (let at = 0; at < 30; at++) mkdirSync(join(workspace, `r${at}/.git/hooks`), { recursive: true });
    expect(() => fences()).toThrow("more than 50 places");
  });
});
