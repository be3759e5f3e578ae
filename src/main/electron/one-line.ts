/** Foreign text as one short line, for titles, notifications and dialogs. */
import { visibleText } from "../base/visible-text.ts";

const mostCharacters = 120;

/** At most 120 characters, in which whatever could hide or turn the rest stands as its code, `<U+202E>`. */
export function oneLine(text: string): string {
  const characters = [...visibleText(text.trim().replace(/\s*\n\s*/g, " ⏎ "))];
  return characters.length <= mostCharacters
    ? characters.join("")
    : `${characters.slice(0, mostCharacters - 1).join("")}…`;
}
