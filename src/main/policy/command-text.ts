/** Refuses commands whose text shows a person something else than what the shell reads. */

/** Longest command, in UTF-8 bytes, that can get anything better than `ask`. */
export const maxCommandBytes = 8 * 1024;

/** Most units in one command that can get anything better than `ask`. */
export const maxUnits = 64;

const invisible =
  /\u00ad|\u034f|\u061c|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|[\u200b-\u200f]|[\u2028-\u202f]|[\u2060-\u206f]|\u3164|[\ufe00-\ufe0f]|\ufeff|\uffa0|[\ufff0-\ufffb]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const control = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const oddSpace = /[\u00a0\u1680\u2000-\u200a\u205f\u3000]/;

/** Why the raw text can never be waved through, one sentence per problem; empty when it is plain. */
export function findTextProblems(command: string): string[] {
  const problems: string[] = [];
  if (command.includes("\0")) problems.push("The command holds a NUL character.");
  if (command.includes("\r"))
    problems.push("The command holds a carriage return, which can hide text on screen.");
  if (control.test(command)) problems.push("The command holds control characters.");
  if (invisible.test(command)) problems.push("The command holds invisible or bidirectional characters.");
  if (oddSpace.test(command))
    problems.push("The command holds spaces that the shell does not treat as spaces.");
  if (!command.isWellFormed()) problems.push("The command is not well-formed Unicode text.");
  if (Buffer.byteLength(command, "utf8") > maxCommandBytes) problems.push("The command is longer than 8 KB.");
  if (command.trim() === "") problems.push("The command is empty.");
  return problems;
}
