/** What a profile decides, as a strict reader of its language understands it; nothing is run. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ConfinedWidth, writeWidth } from "../../shared/width.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";
import { allowsAddress, decides, readProfile } from "./testing/seatbelt-language.ts";

const tty = new Map([["TTY", "/dev/ttys003"]]);

/** A home with keys, and in it a folder with quotes in its name that holds two repositories and settings of editors. */
function makeHome() {
  const root = realpathSync(mkdtempSync("/var/tmp/countersign-profile-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const home = join(root, "home");
  const workspace = join(home, 'a "project" \\ (x)');
  const put = (path: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
  };
  for (const name of [
    ".ssh/id",
    ".npmrc",
    ".cargo/bin/cargo",
    "Library/Keychains/login.keychain-db",
    "more/a",
  ])
    put(join(home, name));
  put(join(root, "data/countersign.db"));
  put(join(root, "data/worktrees/1/project/a"));
  for (const name of [".env", ".vscode/tasks.json", "src/a.ts"]) put(join(workspace, name));
  for (const git of [".git", "deep/er/.git"])
    for (const name of ["HEAD", "config", "hooks/x", "objects/a"]) put(join(workspace, git, name));
  const own = join(root, "temporary/own");
  mkdirSync(own, { recursive: true });
  return { root, home, workspace, own, dataDir: join(root, "data") };
}

type Home = ReturnType<typeof makeHome>;
type Change = Partial<Parameters<typeof seatbeltProfile>[0]>;

function read(world: Home, width: ConfinedWidth, change: Change = {}) {
  const { home, workspace, dataDir, own, root } = world;
  const confinement = { width, home, workspace, dataDir, cwd: workspace, ...change };
  const rules = readProfile(seatbeltProfile(confinement, own, join(root, "temporary")), tty);
  const may = (operation: string) => (name: string) =>
    decides(rules, operation, name.startsWith("/") ? name : join(confinement.workspace, name), tty);
  return {
    rules,
    reads: may("file-read-data"),
    looks: may("file-read-metadata"),
    makes: may("file-write-create"),
    writes: may("file-write-data"),
    moves: may("file-write-unlink"),
    links: may("file-link"),
  };
}

describe("a profile", () => {
  it("lets nothing be written by the width that reads, but what is its own", () => {
    const world = makeHome();
    const { makes, reads } = read(world, "read-only");
    for (const name of ["a", ".git/a", world.home, "/etc/x", "/private/tmp/x", `${world.dataDir}/x`])
      expect(makes(name), name).toBe(false);
    expect([makes(`${world.own}/x`), reads("src/a.ts"), reads("/usr/bin/git")]).toEqual([true, true, true]);
  });

  it("denies what the default lets be: to look at others' processes, and what the machine keeps for its start", () => {
    const { rules } = read(makeHome(), "workspace");
    for (const operation of ["process-info*", "nvram*"])
      expect(rules.find(({ operations }) => operations.includes(operation))).toMatchObject({
        ...{ allows: false, filters: [] },
      });
  });

  it("guards repositories, and what steers programs, and opens to git what git writes", () => {
    const world = makeHome();
    const [plain, git] = [read(world, "workspace"), read(world, "workspace and git")];
    expect([plain.makes("src/b"), plain.makes(`${world.home}/b`)]).toEqual([true, false]);
    for (const name of [".git/objects/b", "deep/er/.git/HEAD"])
      expect([name, plain.writes(name), git.writes(name)]).toEqual([name, false, true]);
    for (const name of [".git/config", ".git/hooks/y", "deep/er/.git/config", ".vscode/x"])
      expect([name, plain.makes(name), git.makes(name)]).toEqual([name, false, false]);
  });

  it("lets nothing guarded be moved away, nor a folder around it, nor be given a second name", () => {
    const { moves, links } = read(makeHome(), "workspace and git");
    for (const name of ["", ".git", ".git/hooks", "deep", "deep/er", "deep/er/.git", ".vscode"])
      expect([name, moves(name)]).toEqual([name, false]);
    expect([moves("src"), moves("deep/other"), moves(".git/objects/a")]).toEqual([true, true, true]);
    expect(links(".git/config") || links("src/a.ts")).toBe(false);
  });

  it("shows neither credentials, nor secrets of the workspace, nor the app's records, nor others' temporary files", () => {
    const world = makeHome();
    const { home, dataDir, root } = world;
    const hidden = [
      ".env",
      `${home}/.ssh/id`,
      `${home}/.npmrc`,
      `${home}/Library/Keychains/login.keychain-db`,
    ];
    const { reads, looks, makes } = read(world, "workspace");
    for (const name of [...hidden, `${dataDir}/countersign.db`, `${root}/temporary/a`, "/private/tmp/a"])
      expect([name, reads(name), looks(name), makes(name)]).toEqual([name, false, false, false]);
    expect([reads(`${home}/more/a`), looks(`${root}/temporary`)]).toEqual([true, true]);
  });

  it("hides the home but for the folder and the programs, and shows of the records a worktree alone", () => {
    const world = makeHome();
    const { home, dataDir } = world;
    const whole = read(world, "workspace", { hidden: { paths: [`${home}/more`], home: true } });
    expect([whole.reads(`${home}/more/a`), whole.reads("src/a.ts"), whole.looks(home)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([whole.reads(`${home}/.cargo/bin/cargo`), whole.writes(`${home}/.cargo/bin/cargo`)]).toEqual([
      true,
      false,
    ]);
    const workspace = join(dataDir, "worktrees/1/project");
    const worktree = read(world, "workspace", { workspace, cwd: workspace });
    expect([worktree.writes("a"), worktree.reads(`${dataDir}/countersign.db`)]).toEqual([true, false]);
  });

  it("grants the network or sockets, and without a grant neither", () => {
    const world = makeHome();
    const grants = (width: ConfinedWidth) => {
      const { rules } = read(world, width);
      return ["ip", "unix-socket"].map((kind) => allowsAddress(rules, kind));
    };
    expect(grants("workspace")).toEqual([false, false]);
    expect(grants(writeWidth({ files: "workspace", grant: "network", folders: [] }))).toEqual([true, false]);
    expect(grants(writeWidth({ files: "workspace", grant: "sockets", folders: [] }))).toEqual([false, true]);
  });

  it("leaves its own terminal alone open of all", () => {
    const { reads, writes } = read(makeHome(), "workspace");
    expect([reads("/dev/ttys003"), writes("/dev/ttys003"), writes("/dev/null")]).toEqual([true, true, true]);
    for (const name of ["/dev/ttys001", "/dev/ptyp0"])
      expect([name, reads(name), writes(name)]).toEqual([name, false, false]);
  });
});

describe("the stand-in for macOS' reader of profiles", () => {
  it.each([
    ["", /no version/],
    ["(version 1) (allow file-rread*)", /unbound variable: file-rread/],
    ["(version 1) (permit default)", /unbound variable: permit/],
    ["(version 1) (allow default", /unexpected end/],
    ['(version 1) (allow file-read* (subpath "/a)', /unexpected end/],
    ["(version 1) (allow default))", /unexpected \)/],
    ['(version 1) (allow file-read* (subpath "a"))', /no whole path/],
    ['(version 1) (allow file-read* (subpath "/a/"))', /no whole path/],
    ['(version 1) (allow mach-lookup (subpath "/a"))', /cannot be filtered/],
    ['(version 1) (allow file-read* (literal (param "OTHER")))', /nobody gave/],
    ['(version 1) (allow network-outbound (remote ip "1.2.3.4:80"))', /must be \* or localhost/],
    ["(version 1) (allow file-read* (subpath /a))", /expected a string/],
  ])("refuses %j", (text, why) => {
    expect(() => readProfile(text, tty)).toThrow(why);
  });
});
