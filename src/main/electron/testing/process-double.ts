/** A double of Node's `process` for the entry: its own signals, its own arguments, any platform, and a launcher that listens. */
import { EventEmitter } from "node:events";

export type ProcessDouble = ReturnType<typeof createProcessDouble>;

export function createProcessDouble(platform: NodeJS.Platform, args: string[]) {
  /** What was told to whoever started the app. */
  const told: unknown[] = [];
  return Object.assign(new EventEmitter(), {
    platform,
    argv: ["electron", ".", ...args],
    // A login shell that is not there, so that no test runs the start files of whoever runs it.
    env: { SHELL: "/nowhere/shell" } as NodeJS.ProcessEnv,
    send: (message: unknown) => {
      told.push(structuredClone(message));
      return true;
    },
    told,
  });
}
