/** Text of which nothing can be seen: blanks, controls and marks that show nothing. */

const seen = /[^\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether the text leaves nothing to be seen where it stands alone. */
export function isUnseen(text: string): boolean {
  return !seen.test(text);
}
