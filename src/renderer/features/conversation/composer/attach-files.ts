/** Takes what was dropped, pasted or picked: images as images, other files with their text, and says why where neither can be. */
import type { ThreadId } from "../../../../shared/ids.ts";
import { common } from "../../../base/common-strings.ts";
import { draftOf, pastedOf, setPasted } from "../../../base/stores/drafts-store.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";
import { attach, attachmentsOf } from "./attachments-store.ts";
import { expand, longestMessageChars, markerOf, nameFor } from "./long-text.ts";
import { fits, isImage, readImage } from "./read-image.ts";

/** @param put puts words at the caret. */
export async function attachFiles(
  threadId: ThreadId,
  files: readonly File[],
  put: (words: string) => void,
): Promise<void> {
  for (const file of files) {
    if (isImage(file)) {
      await attachImages(threadId, [file]);
      continue;
    }
    const text = file.size > 4 * longestMessageChars ? undefined : await readText(file);
    if (text === undefined) showProblem(common.failed, strings.notText(file.name));
    else holdText(threadId, file.name, strings.fileText(nameFor(file.name, []), text), put);
  }
}

/**
 * Keeps a long text beside the draft and puts its name at the caret.
 * @param wanted its name; empty for one that was pasted.
 */
export function holdText(
  threadId: ThreadId,
  wanted: string,
  text: string,
  put: (words: string) => void,
): void {
  const pasted = pastedOf(threadId);
  if (expand(draftOf(threadId), pasted).length + text.length > longestMessageChars || pasted.length >= 20) {
    showProblem(common.failed, strings.textTooLong);
    return;
  }
  const held = { name: nameFor(wanted, pasted), text };
  setPasted(threadId, [...pasted, held]);
  put(markerOf(held));
}

/** @returns nothing when it is not text. */
async function readText(file: File): Promise<string | undefined> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

const mostAttachments = 20;

export async function attachImages(threadId: ThreadId, files: readonly File[]): Promise<void> {
  for (const file of files) {
    if (!isImage(file)) {
      showProblem(common.failed, strings.notAnImage(file.name));
      continue;
    }
    const image = await readImage(file);
    const before = attachmentsOf(threadId);
    if (!image) showProblem(common.failed, strings.imageTooLarge(file.name));
    else if (before.length >= mostAttachments || !fits("", [...before, image]))
      showProblem(common.failed, strings.tooMuch);
    else attach(threadId, [image]);
  }
}
