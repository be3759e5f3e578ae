/** Does what a person asked for in a view: busy meanwhile, and why it failed as a sentence until the next try. */
import { useState } from "react";
import { describeError } from "./words.ts";

/** @param onFailed after a try that failed, such as to read again what it was about */
export function useAct(onFailed?: () => void) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  /** @returns what came of it; nothing where it failed. */
  async function act<T>(deed: () => Promise<T>): Promise<T | undefined> {
    setBusy(true);
    setProblem(undefined);
    try {
      return await deed();
    } catch (error) {
      setProblem(describeError(error));
      onFailed?.();
      return undefined;
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, setProblem, act };
}
