/** Does what a person asked for, and tells them when it did not work. */
import { common } from "../base/common-strings.ts";
import { describeError } from "../base/words.ts";
import { showProblem } from "./toast.tsx";

/** A failure is said in a message, under `title`, and not thrown. @returns what came of it; undefined when it failed. */
export async function attempt<T>(act: () => Promise<T>, title = common.failed): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    showProblem(title, describeError(error));
    return undefined;
  }
}
