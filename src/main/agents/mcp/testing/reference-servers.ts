/** The reference servers: where their programs are, and server-everything at an address, to be ended and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

const packages = join(import.meta.dirname, "../../../../../node_modules/@modelcontextprotocol");
export const everythingPath = join(packages, "server-everything/dist/index.js");
export const filesystemPath = join(packages, "server-filesystem/dist/index.js");

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const bound = probe.address();
  probe.close();
  await once(probe, "close");
  if (typeof bound !== "object" || bound === null) throw new Error("no port");
  return bound.port;
}

export type EverythingServer = {
  /** Resolves when it has written this many lines with this text since the last one that was waited for. */
  said(text: string, times?: number): Promise<void>;
  /** Ends it without a word to anybody. */
  kill(): Promise<void>;
};

/** Resolves when it listens. */
export async function startEverything(
  kind: "streamableHttp" | "sse",
  port: number,
): Promise<EverythingServer> {
  const env = { ...process.env, PORT: String(port) };
  const child = spawn(process.execPath, [everythingPath, kind], { env, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  let tell = () => {};
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on("line", (line) => {
      lines.push(line);
      tell();
    });
  child.once("exit", () => tell());
  const said = async (text: string, times = 1) => {
    for (let seen = 0; seen < times; ) {
      const at = lines.findIndex((line) => line.includes(text));
      if (at >= 0) {
        lines.splice(0, at + 1);
        seen += 1;
        continue;
      }
      if (hasEnded(child)) throw new Error(`The server ended before it said ${text}.`);
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    }
  };
  await said(String(port));
  return {
    said,
    async kill() {
      if (hasEnded(child)) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
