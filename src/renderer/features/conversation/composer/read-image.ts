/** Turns a picked, pasted or dropped image into an attachment that fits the wire, made smaller when it must be. */
import type { Attachment } from "../../../../shared/contract/threads.ts";

type ImageAttachment = Extract<Attachment, { kind: "image" }>;

const mediaTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Base64 characters of one image, and of a whole message with its text: a frame of the wire holds 1 MiB. */
const longestImage = 700_000;
const longestMessage = 900_000;
const longestSides = [2_048, 1_568, 1_024, 640];
const quality = 0.85;

export function isImage(file: File): boolean {
  return mediaTypes.includes(file.type);
}

/** @returns nothing when the image is too large even in its smallest form, or cannot be read as one. */
export async function readImage(file: File): Promise<ImageAttachment | undefined> {
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
  return images + new TextEncoder().encode(text).length <= longestMessage;
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
