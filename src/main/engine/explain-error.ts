/** Says in a sentence why a run failed, and whether trying again may help. */
import { ContractError, type ErrorCode } from "../../shared/contract/errors.ts";
import type { Handlers } from "../../shared/wire/serve-contract.ts";
import { AgentFileError } from "../agent-files/file-problem.ts";
import { FileError } from "../files/file-error.ts";
import { answeredModelError, classifyModelError } from "../models/classify-model-error.ts";
import { ModelError } from "../models/model-error.ts";
import { classifyStorageError, type StorageErrorCode } from "../storage/storage-error.ts";

const storageCodes: Partial<Record<StorageErrorCode, ErrorCode>> = {
  "disk-full": "disk-full",
  "read-only": "read-only",
};

/** A full or locked disk is no mystery: whoever called hears what it is and what to do, instead of a log id. */
export function nameStorageErrors(handlers: Handlers): Handlers {
  const fail = (error: unknown): never => {
    const storage = classifyStorageError(error);
    throw storage ? new ContractError(storageCodes[storage.code] ?? "unavailable", storage.message) : error;
  };
  const named = Object.entries(handlers).map(([name, handle]) => [
    name,
    (input: never, context: never) => {
      try {
        const answer: unknown = handle(input, context);
        return answer instanceof Promise ? answer.catch(fail) : answer;
      } catch (error) {
        return fail(error);
      }
    },
  ]);
  return Object.fromEntries(named) as Handlers;
}

/** @param log writes an error nobody foresaw down and answers its id. */
export function explainRunError(
  error: unknown,
  log: (error: unknown) => string,
): { problem: string; retryable: boolean } {
  const storage = classifyStorageError(error);
  if (storage) return { problem: storage.message, retryable: true };
  if (error instanceof AgentFileError) return { problem: error.message, retryable: true };
  if (error instanceof FileError) return { problem: error.message, retryable: true };
  if (error instanceof ModelError) return { problem: error.message, retryable: error.retryable };
  const model = answeredModelError(error);
  if (model) return { problem: model.message, retryable: true };
  return {
    problem: `The turn failed: ${classifyModelError(error).message} (log ${log(error)})`,
    retryable: true,
  };
}
