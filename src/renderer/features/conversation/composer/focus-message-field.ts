/** Brings the person to the message field of the open thread. */
import { strings } from "../strings.ts";

export function focusMessageField(): void {
  messageField()?.focus();
}

/** The field, where a thread is open. */
export function messageField(): HTMLTextAreaElement | null {
  return document.querySelector(`textarea[aria-label="${strings.message}"]`);
}
