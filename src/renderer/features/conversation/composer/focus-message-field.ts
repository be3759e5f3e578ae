/** Brings the person to the message field of the open thread. */
import { strings } from "../strings.ts";

export function focusMessageField(): void {
  document.querySelector<HTMLTextAreaElement>(`textarea[aria-label="${strings.message}"]`)?.focus();
}
