/** The one way an edit changes text, so that the diff on the card and the written file cannot differ. */
import { FileError } from "./file-error.ts";

type Replacement = {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
};

/** A file whose every line ends in CRLF keeps doing so, though models write LF. */
function usesCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(^|[^\r])\n/.test(text);
}

function toCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

/**
 * Replaces `oldString` in `text`.
 * @returns the new text and how many places changed
 * @throws FileError `no-match` when the old text is empty, absent, or there more than once without `replaceAll`
 */
export function replaceText(
  text: string,
  shown: string,
  change: Replacement,
): { text: string; occurrences: number } {
  const crlf = usesCrlf(text);
  const before = crlf ? toCrlf(change.oldString) : change.oldString;
  const after = crlf ? toCrlf(change.newString) : change.newString;
  const refuse = (why: string) => new FileError("no-match", shown, why);
  if (before === "")
    throw refuse(`The text to replace in ${shown} is empty. Give the exact text, or write the whole file.`);
  const parts = text.split(before);
  const occurrences = parts.length - 1;
  if (occurrences === 0) {
    throw refuse(
      `The text to replace was not found in ${shown}. Read the file and copy the exact text, spaces included.`,
    );
  }
  if (occurrences > 1 && !change.replaceAll) {
    throw refuse(
      `The text to replace is ${occurrences} times in ${shown}. Give more of the lines around it, or replace all of them.`,
    );
  }
  return { text: parts.join(after), occurrences };
}
