/** Starts one side of the load in a process of its own and asks it questions. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

export type LoadProcess = {
  /** Rejects with what the process answered, or when it is gone. */
  ask<T>(name: string, input?: unknown): Promise<T>;
  end(): Promise<void>;
};

type Reply = { id: number; value?: unknown; error?: string };

/** @param file name of a file beside this one that calls `answerParent`. */
export async function startLoadProcess(
  file: string,
  args: string[],
  execArgv: string[] = [],
): Promise<LoadProcess> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: ["--expose-gc", ...execArgv],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let newest = 0;
  const expect = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
  child.on("message", ({ id, value, error }: Reply) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(value);
    else asked?.reject(new Error(error));
  });
  void ended.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended in the middle of the load.`));
  });
  await expect(0);
  return {
    ask(name, input) {
      newest += 1;
      child.send({ id: newest, name, input });
      return expect(newest) as Promise<never>;
    },
    end: () => endProcess(child, ended),
  };
}

async function endProcess(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.connected) child.disconnect();
  await ended;
}
