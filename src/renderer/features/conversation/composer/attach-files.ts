/** Takes what was dropped, pasted or picked: images as images, other files with their text, and says why where neither can be. */

import type { Attachment } from "../../../../shared/contract/threads.ts";
import type { ThreadId } from "../../../../shared/ids.ts";
import { jsonBytes } from "../../../../shared/wire/json-bytes.ts";
import { common } from "../../../base/common-strings.ts";
import { draftOf, pastedOf, setPasted } from "../../../base/stores/drafts-store.ts";
import { showProblem } from "../../../ui/toast.tsx";
import { strings } from "../strings.ts";
import { attach, attachmentsOf } from "./attachments-store.ts";
import { expand, longestMessageChars, markerOf, nameFor } from "./long-text.ts";

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

type ImageAttachment = Extract<Attachment, { kind: "image" }>;

const mediaTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Base64 characters of one image, and bytes of a whole message as it is sent: a frame of the wire holds 1 MiB. */
const longestImage = 700_000;
const longestMessage = 900_000;
const longestSides = [2_048, 1_568, 1_024, 640];
const quality = 0.85;

function isImage(file: File): boolean {
  return mediaTypes.includes(file.type);
}

/** @returns nothing when the image is too large even in its smallest form, or cannot be read as one. */
async function readImage(file: File): Promise<ImageAttachment | undefined> {
  const whole = await toBase64(file);
  if (whole.length <= longestImage)
    return attachmentOf(file, file.type as ImageAttachment["mediaType"], whole);
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  for (const side of longestSides) {
    const base64 = await toBase64(await shrink(bitmap, side));
    if (base64.length <= longestImage) return attachmentOf(file, "image/webp", base64);
  }
  return undefined;
}

/** Whether text and attachments fit into one message together. */
export function fits(text: string, attachments: readonly Attachment[]): boolean {
  const images = attachments.reduce((sum, one) => sum + (one.kind === "image" ? one.base64.length : 0), 0);
  return images + jsonBytes(text) <= longestMessage;
}

function attachmentOf(file: File, mediaType: ImageAttachment["mediaType"], base64: string): ImageAttachment {
  return { kind: "image", name: (file.name || "image").slice(-255), mediaType, base64 };
}

function shrink(bitmap: ImageBitmap, longestSide: number): Promise<Blob> {
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/webp", quality });
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
