/** What attacks are aimed at: a home with keys, a workspace with repositories, the app's records, services that listen. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { entriesOf } from "./remembered-entries.ts";

export type TargetWorld = {
  readonly home: string;
  readonly workspace: string;
  readonly dataDir: string;
  /** What the attacks are told, by the names they use. */
  readonly env: Record<string, string>;
  /** Makes in the workspace what an agent obeys and nobody had. */
  plant(): void;
  /** What an attack changed or reached, seen from outside. */
  damage(): string[];
  close(): void;
};

const outside = {
  "other/notes": "mine\n",
  "other/victim": "mine\n",
  ".profile": "mine\n",
  ".npmrc": "SECRET\n",
};

async function listen(server: Server, on: { path: string } | { port: 0; host: string }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(on, resolve);
  });
}

/** One lies in the first; in the second, of which a sandbox has its own, is what nothing in it may see. */
const places = ["/var/tmp", "/tmp"] as const;
const beginning = "countersign-sandbox-";
/** All attacks at all widths take a minute at most. */
const longestMs = 60 * 60 * 1_000;

/** Takes away what was left by whoever was killed while it attacked; nothing of others, and nothing that may be in use. */
export function sweepTargetWorlds(folders: readonly string[] = places): void {
  for (const folder of folders)
    for (const { name } of entriesOf(folder).filter((each) => each.name.startsWith(beginning))) {
      const path = join(folder, name);
      try {
        const { uid, mtimeMs } = lstatSync(path);
        const isLeft = uid === process.getuid?.() && Date.now() - mtimeMs > longestMs;
        if (isLeft) rmSync(path, { recursive: true, force: true });
      } catch {
        // Somebody else took it away.
      }
    }
}

/** @param folder where it is made; not below `/tmp`, which a sandbox has of its own */
export async function makeTargetWorld(folder: string = places[0]): Promise<TargetWorld> {
  const root = realpathSync(mkdtempSync(join(folder, beginning)));
  // Below the one that a sandbox has of its own, wherever this person's temporary files are.
  const shared = mkdtempSync(join(places[1], beginning));
  const home = join(root, "home");
  const [workspace, dataDir] = [join(home, "project"), join(home, ".local/share/countersign")];
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const [name, text] of Object.entries(outside)) put(join(home, name), text);
  put(join(shared, "theirs"), "mine\n");
  put(join(home, ".ssh/id_ed25519"), "PRIVATE\n");
  put(join(home, "Library/Keychains/login.keychain-db"), "PRIVATE\n");
  put(join(dataDir, "countersign.db"), "RECORD\n");
  for (const below of ["", "deep/er"]) {
    const git = join(workspace, below, ".git");
    for (const part of ["objects", "refs/heads", "hooks"]) mkdirSync(join(git, part), { recursive: true });
    put(join(git, "HEAD"), "ref: refs/heads/main\n");
    put(join(git, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
    put(join(git, "hooks/post-merge"), "#!/bin/sh\n");
  }
  put(join(workspace, ".vscode/tasks.json"), "{}\n");
  put(join(workspace, ".envrc"), "\n");
  symlinkSync(join(home, "other/notes"), join(workspace, "link"));
  symlinkSync(join(home, ".ssh"), join(workspace, "keys"));
  let reached = 0;
  const answer = createServer((socket) => {
    reached += 1;
    socket.on("error", () => {});
    socket.end("hello\n");
  });
  const service = createServer((socket) => {
    reached += 1;
    socket.on("error", () => {});
    socket.end("hello\n");
  });
  const socketFile = join(home, "s");
  await listen(answer, { port: 0, host: "127.0.0.1" });
  await listen(service, { path: socketFile });
  chmodSync(socketFile, 0o777);
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each && !each.internal && each.family === "IPv4")?.address;
  const bound = answer.address();
  const namespaces = ["pid", "net", "ipc", "uts", "user", "mnt"]
    .filter(() => process.platform === "linux")
    .map((name) => [`NS_${name}`, readlinkSync(`/proc/self/ns/${name}`)] as const);
  return {
    home,
    workspace,
    dataDir,
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      // Not `/tmp` itself, or what is not held would leave there what it makes.
      TMPDIR: join(shared, "own"),
      // A name of its own for what the system would be told to keep.
      L: `countersign.probe.${process.pid}`,
      ...{ HOME: home, H: home, W: workspace, D: dataDir, T: join(shared, "theirs"), SOCK: socketFile },
      ...{ HOST: String(process.pid), ADDRESS: address ?? "" },
      PORT: String(typeof bound === "object" ? bound?.port : ""),
      ...Object.fromEntries(namespaces),
    },
    plant: () => put(join(workspace, "AGENTS.md"), "obey\n"),
    damage() {
      const changed = Object.entries(outside)
        .filter(([name, text]) => readOr(join(home, name)) !== text)
        .map(([name]) => name);
      return reached === 0 ? changed : [...changed, "a service of this machine was reached"];
    },
    close() {
      answer.close();
      service.close();
      rmSync(root, { recursive: true, force: true });
      rmSync(shared, { recursive: true, force: true });
    },
  };
}

const readOr = (path: string) => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};
