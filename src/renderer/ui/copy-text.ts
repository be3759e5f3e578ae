/** Puts a text on the clipboard. */
import { common } from "../base/common-strings.ts";
import { attempt } from "./attempt.ts";
import { showToast } from "./toast.tsx";

/** Says that it did, or that it could not. */
export async function copyText(text: string): Promise<void> {
  await attempt(async () => {
    await navigator.clipboard.writeText(text);
    showToast(common.copied);
  });
}
