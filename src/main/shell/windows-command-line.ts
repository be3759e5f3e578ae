/** Writes arguments into the one text that a program on Windows is started with, so that each arrives as it was. */

/** As `CommandLineToArgvW` and the C library read it: quotes around, `\"` for a quote, backslashes before one doubled. */
function quote(argument: string): string {
  return `"${argument.replace(/(\\*)("|$)/g, (_all, slashes: string, end: string) => slashes + slashes + (end && `\\${end}`))}"`;
}

/** Taken apart by Windows' own rules it gives back exactly these words. */
export function toCommandLine(words: readonly string[]): string {
  return words.map(quote).join(" ");
}

/**
 * A text as a word of bash that stands for just that text, in printable ASCII without `"`, `'` inside and two
 * backslashes in a row: Git's bash takes its command line apart by rules of its own, which read those in another way.
 */
export function toBashLiteral(text: string): string {
  const bytes = [...Buffer.from(text, "utf8")];
  const letters = bytes.map((byte) => {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x27 && byte !== 0x5c;
    return plain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
  });
  return `$'${letters.join("")}'`;
}

/** A text as a literal of PowerShell, to which curly single quotes are quotes as well. */
export function toPowerShellLiteral(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
}
