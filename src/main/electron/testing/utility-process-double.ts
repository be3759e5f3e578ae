/** A double of Electron's utility processes over real processes, so that what runs in them is the product's own code. */
import { type ChildProcess, fork } from "node:child_process";
import type * as Electron from "electron";
import { present, StrictEmitter, surface } from "./strict.ts";

type UtilityProcessClass = (typeof Electron)["utilityProcess"];
type ProcessMethods = Pick<Electron.UtilityProcess, "pid" | "postMessage" | "kill" | "stderr">;

export const utilityClassSurface = surface<UtilityProcessClass>("UtilityProcess", ["fork"]);
export const utilitySurface = surface<Electron.UtilityProcess>(
  "UtilityProcess",
  ["pid", "postMessage", "kill", "stderr"],
  ["spawn", "message", "exit"],
);

/**
 * Run in the process before anything else: it gets Electron's port, which clones messages and holds them until somebody
 * listens, and it loses the channel that a child of plain Node would have.
 */
const parentPort = `
import { EventEmitter } from "node:events";
const port = new EventEmitter();
const waiting = [];
const send = process.send.bind(process);
let heard = (data) => waiting.push(data);
process.on("message", (data) => heard(data));
process.on("disconnect", () => process.exit());
port.on("newListener", (event) => {
  if (event !== "message") throw new Error("ParentPort has no event " + event);
  setImmediate(() => {
    heard = (data) => port.emit("message", { data, ports: [] });
    for (const data of waiting.splice(0)) heard(data);
  });
});
process.parentPort = { on: port.on.bind(port), once: port.once.bind(port), postMessage: (message) => send(structuredClone(message)) };
process.send = undefined;
`;

/** What the test can look at: how the process was started, and whether it has ended. */
export type StartedUtility = { options: Electron.ForkOptions; child: ChildProcess };

/** Like Electron's, it has no pid before it has spawned, and asked to end before that it hears SIGTERM and no more. */
class UtilityProcessDouble extends StrictEmitter implements ProcessMethods {
  readonly #child: ChildProcess;
  #isSpawned = false;
  #isGone = false;
  constructor(child: ChildProcess) {
    super(utilitySurface);
    this.#child = child;
    child.once("spawn", () => {
      this.#isSpawned = true;
      this.emit("spawn");
    });
    child.on("message", (message) => this.emit("message", message));
    child.once("exit", (code) => {
      // Electron goes down when somebody posts from inside this event.
      this.#isGone = true;
      this.emit("exit", code ?? 1);
      child.stderr?.removeAllListeners();
    });
  }
  get pid(): number | undefined {
    return this.#isSpawned && !this.#isGone ? this.#child.pid : undefined;
  }
  get stderr(): NodeJS.ReadableStream | null {
    return this.#isGone ? null : this.#child.stderr;
  }
  postMessage(message: unknown): void {
    if (this.#isGone) throw new Error("Nothing may be posted to a utility process that is gone.");
    this.#child.send(structuredClone(message) as object, () => undefined);
  }
  kill(): boolean {
    return this.#child.kill();
  }
}

/** `utilityProcess` as the app uses it. */
export function doubleUtilityProcess(record: { utilities: StartedUtility[] }, isReady: () => boolean) {
  const utilityProcess: Pick<UtilityProcessClass, "fork"> = {
    fork(modulePath: string, args: string[] = [], options: Electron.ForkOptions = {}) {
      if (!isReady()) throw new Error("A utility process cannot be started before the app is ready.");
      const child = fork(modulePath, args, {
        env: options.env as NodeJS.ProcessEnv,
        execArgv: ["--import", `data:text/javascript,${encodeURIComponent(parentPort)}`],
        serialization: "advanced",
        stdio: ["ignore", "ignore", options.stdio?.[2] === "pipe" ? "pipe" : "inherit", "ipc"],
      });
      record.utilities.push({ options, child });
      return present(utilitySurface, new UtilityProcessDouble(child)) as unknown as Electron.UtilityProcess;
    },
  };
  return { utilityProcess: present(utilityClassSurface, utilityProcess) };
}
