/** A host in this process that hangs up, goes away and comes back when a test says so. */
import { contract } from "../../../shared/contract/contract.ts";
import { ContractError } from "../../../shared/contract/errors.ts";
import { connectInProcess } from "../../../shared/wire/in-process.ts";
import { type Handlers, serveContract } from "../../../shared/wire/serve-contract.ts";
import type { Transport } from "../../../shared/wire/transport.ts";

/** Pauses between attempts end when the test says so, too. */
export function createFlakyHost(given: Partial<Handlers>) {
  const refusing = Object.fromEntries(
    Object.keys(contract).map((name) => [
      name,
      () => {
        throw new ContractError("unavailable", "Not part of this test.");
      },
    ]),
  );
  const handlers = { ...(refusing as unknown as Handlers), ...given };
  const pauses: { ms: number; end(): void }[] = [];
  let newest: Transport | undefined;
  let failure: ContractError | undefined;
  let paused = Promise.withResolvers<void>();
  return {
    pauses,
    hangUp: () => newest?.close("The host stops."),
    goAway: (error = new ContractError("closed", "Nobody answers.")) => {
      failure = error;
      newest?.close();
    },
    comeBack: () => {
      failure = undefined;
    },
    nextPause: () => paused.promise,
    endPause: () => {
      paused = Promise.withResolvers<void>();
      pauses.at(-1)?.end();
    },
    connect: async () => {
      if (failure !== undefined) throw failure;
      const [hostEnd, clientEnd] = connectInProcess();
      newest = hostEnd;
      serveContract(hostEnd, handlers, { clientId: "c", onInternalError: String });
      return clientEnd;
    },
    pause: (ms: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      pauses.push({ ms, end: resolve });
      paused.resolve();
      return promise;
    },
  };
}
