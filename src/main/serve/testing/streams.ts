/** Sources and readers of streams whose every step a test can wait for. */
import { ContractError } from "../../../shared/contract/errors.ts";
import { executionIdSchema } from "../../../shared/ids.ts";
import type { Client } from "../../../shared/wire/client.ts";

export const executionId = executionIdSchema.parse("e1");

/** A source that counts what it has made. */
export function count(items: number) {
  const ended = Promise.withResolvers<void>();
  let made = 0;
  async function* stream() {
    try {
      for (let index = 0; index < items; index++) {
        made++;
        yield { data: String(index), state: "running" as const };
      }
    } finally {
      ended.resolve();
    }
  }
  return { stream, made: () => made, ended: ended.promise };
}

/** A source that says hello and then waits until it is told to stop. */
export function waitForever() {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function* stream(_input: unknown, { signal }: { signal: AbortSignal }) {
    try {
      yield { data: "hello", state: "running" as const };
      started.resolve();
      await new Promise<void>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        if (signal.aborted) reject(signal.reason);
      });
    } finally {
      ended.resolve();
    }
  }
  return { stream, started: started.promise, ended: ended.promise };
}

export async function takeAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads until stopped; `first` is the first item, `end` settles as the loop does. */
export function openWatch(client: Client) {
  const controller = new AbortController();
  const first = Promise.withResolvers<unknown>();
  const read = async () => {
    const items = client.watch("executions.watch", { executionId }, { signal: controller.signal });
    for await (const item of items) first.resolve(item);
  };
  const end = read();
  end.catch(first.reject);
  return { first: first.promise, end, stop: () => controller.abort() };
}

/** The ContractError a promise rejects with; anything else fails the test. */
export async function failure(promise: Promise<unknown>): Promise<ContractError> {
  const error = await promise.then(
    () => new Error("It did not fail."),
    (reason: unknown) => reason,
  );
  if (error instanceof ContractError) return error;
  throw error;
}
