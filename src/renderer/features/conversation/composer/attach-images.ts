/** Attaches image files to a thread's unsent message and says of each that cannot be attached why. */

import type { ThreadId } from "../../../../shared/ids.ts";
import { common } from "../../../base/common-strings.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";
import { attach, attachmentsOf } from "./attachments-store.ts";
import { fits, isImage, readImage } from "./read-image.ts";

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
