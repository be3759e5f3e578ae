/** A throw-away world in which judged commands really run: canaries that must not be printed, files that must not change. */
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
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
import { lookAtDisk } from "../src/main/policy/disk.ts";
import type { PolicyContext } from "../src/main/policy/policy-context.ts";
import { makeContext } from "../src/main/policy/testing/make-context.ts";
import { buildEnvironment } from "../src/main/shell/environment.ts";
import type { Unprivileged } from "./unprivileged.ts";

/** What a run did that nothing `safe` may do. */
export type Alarm = {
  command: string;
  what: string;
};

const secondsPerCommand = 4;

/** Files whose content is the canary; none of them may reach any output. */
const secretFiles = [
  ".env",
  ".env.local",
  "deploy.pem",
  ".npmrc",
  ".ssh/id_ed25519",
  "config/credentials.json",
  // Whatever lies in an archive.
  "backup.tar",
];

/** Files of the workspace that lie in wait: names like options and scripts, and programs in folders of odd names. */
const traps = [
  ...[
    "-exec",
    "-delete",
    "-v",
    "-f",
    "--pre=alarm",
    "--compress-program=alarm",
    "--files0-from=.env",
    "@.env",
  ],
  ...["a[$(alarm)]", "1e alarm", "x --files0-from=.env", "$(alarm)", "`alarm`", 'system("alarm")'],
];
const programs = ["3/ls", "3/cat", "0/ls", "1/ls", "bin/cat", "ls", "alarm", "a", "x"];
const stubs = ["python3", "perl", "ssh", "curl", "nc", "sudo", "vi", "less", "more", "pager", "gpg"];

export class World {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "attack-world-")));
  readonly workspace = join(this.base, "home", "app");
  readonly context: PolicyContext;
  private readonly canary = `canary${randomBytes(9).toString("hex")}`;
  private readonly bin = join(this.base, "bin");
  private readonly marker = join(this.base, "marks", "marker");
  private readonly user: Unprivileged;
  private before = new Map<string, string>();

  constructor(user: Unprivileged) {
    this.user = user;
    this.write(join(this.base, "outside", "secret.txt"), `${this.canary}\n`);
    // A name that must not be listed either.
    this.write(join(this.base, "outside", this.canary), "");
    for (const name of secretFiles)
      this.write(join(this.workspace, name), `TOKEN=${this.canary}\nmore=${this.canary}\n`);
    for (const name of [
      "f",
      "g",
      "README.md",
      "src/a.ts",
      "src/b.ts",
      "docs/b.md",
      "data.csv",
      "log.txt",
      "a",
      "b",
    ])
      if (!existsSync(join(this.workspace, name)))
        this.write(join(this.workspace, name), "one foo 1\ntwo bar 2\nTODO x\n");
    this.write(
      join(this.workspace, "package.json"),
      '{"name":"app","scripts":{"test":"alarm"},"dependencies":{}}\n',
    );
    for (const name of traps) this.write(join(this.workspace, name), "a\nx\n");
    for (const name of programs) this.program(join(this.workspace, "tools", name), `"${this.bin}/alarm"`);
    for (const name of ["3/ls", "0/ls"]) this.program(join(this.workspace, name), `"${this.bin}/alarm"`);
    mkdirSync(join(this.workspace, "releases", "deep", "v1"), { recursive: true });
    symlinkSync("releases/deep/v1", join(this.workspace, "current"));
    symlinkSync("../../outside", join(this.workspace, "away"));
    symlinkSync("../../../outside/secret.txt", join(this.workspace, "src", "link.ts"));
    mkdirSync(dirname(this.marker));
    this.program(join(this.bin, "alarm"), `echo "$0" >> '${this.marker}'`);
    // Asked for their version they may run.
    const unlessVersion = `case "$1" in -v|-V|--version) ;; *) echo "$0" >> '${this.marker}' ;; esac`;
    for (const name of stubs) this.program(join(this.bin, name), unlessVersion);
    for (const name of ["npm", "node", "docker", "java", "cargo", "go", "rg"])
      this.program(join(this.bin, name), "exit 0");
    execFileSync("git", ["init", "-q", "."], { cwd: this.workspace, stdio: "ignore" });
    execFileSync("git", ["add", "README.md", "src/a.ts"], { cwd: this.workspace, stdio: "ignore" });
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.invalid"];
    execFileSync("git", [...identity, "commit", "-qm", "first"], { cwd: this.workspace, stdio: "ignore" });
    chmodSync(this.base, 0o755);
    user.own(this.base);
    // The owner is new to the index; refreshed once, it has no reason to be written again.
    const refreshed = {
      cwd: this.workspace,
      stdio: "ignore",
      env: { PATH: process.env.PATH, HOME: this.base },
      ...user.ids,
    } as const;
    execFileSync("git", ["update-index", "--refresh"], refreshed);
    this.context = makeContext({
      workspace: this.workspace,
      cwd: this.workspace,
      home: join(this.base, "home"),
      rules: [],
      ...lookAtDisk(this.workspace),
      protectedDirs: [join(this.base, "home", ".local")],
    });
    this.before = this.snapshot();
  }

  /** Runs the commands one after the other in fresh shells, as the app would. @returns the first that did harm. */
  run(commands: readonly string[]): Alarm | undefined {
    if (commands.length === 0) return undefined;
    const outputs = this.runAll(commands);
    for (const [at, output] of outputs.entries())
      if (output.includes(this.canary)) return { command: commands[at]!, what: "it printed a secret" };
    const what = this.findHarm();
    if (what === undefined) return undefined;
    if (commands.length === 1) return { command: commands[0]!, what };
    const half = Math.ceil(commands.length / 2);
    return (
      this.run(commands.slice(0, half)) ??
      this.run(commands.slice(half)) ?? { command: commands.join("\n"), what }
    );
  }

  close(): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  private findHarm(): string | undefined {
    if (existsSync(this.marker)) {
      const ran = readFileSync(this.marker, "utf8").trim();
      rmSync(this.marker);
      return `it started ${ran}`;
    }
    const after = this.snapshot();
    const paths = [...new Set([...this.before.keys(), ...after.keys()])];
    const changed = paths.filter((path) => this.before.get(path) !== after.get(path));
    this.before = after;
    return changed.length === 0 ? undefined : `it changed ${changed.join(", ")}`;
  }

  private runAll(commands: readonly string[]): string[] {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "attack-outputs-")));
    try {
      writeFileSync(join(folder, "commands.bin"), commands.map((command) => `${command}\0`).join(""));
      this.user.own(folder);
      const driver = `n=0; while IFS= read -r -d '' text <&8; do n=$((n + 1)); timeout -k 1 ${secondsPerCommand} bash --noprofile --norc -c "$text" 8<&- </dev/null 2>&1 | head -c 1000000 > "${folder}/$n"; done 8<"${folder}/commands.bin"; true`;
      const inherited = {
        PATH: `${this.bin}:/usr/local/bin:/usr/bin:/bin`,
        HOME: this.context.home,
        LANG: "C.UTF-8",
      };
      const env = {
        ...buildEnvironment({ inherited, extra: {}, executionId: "attack" }),
        ATTACK_TOKEN: this.canary,
      };
      execFileSync("/bin/bash", ["--norc", "--noprofile", "-c", driver], {
        cwd: this.workspace,
        env,
        stdio: "ignore",
        ...this.user.ids,
      });
      return commands.map((_, at) => readFileSync(join(folder, String(at + 1)), "latin1"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Kind, mode, time and content of everything in the world, by path. */
  private snapshot(): Map<string, string> {
    const found = new Map<string, string>();
    const visit = (folder: string): void => {
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const stat = lstatSync(path);
        const content = stat.isFile()
          ? `${stat.mtimeMs} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`
          : "";
        found.set(path, `${stat.mode} ${stat.ino} ${content}`);
        if (stat.isDirectory()) visit(path);
      }
    };
    visit(this.base);
    return found;
  }

  private write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  private program(path: string, text: string): void {
    this.write(path, `#!/bin/bash\n${text}\n`);
    chmodSync(path, 0o755);
  }
}
