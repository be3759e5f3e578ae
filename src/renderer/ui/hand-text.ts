/** Hands a text to the person: on the clipboard, or as a file. */
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

/** Hands a text to the person as a file. */
export function saveAsFile(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
