/** Foreign text for places that draw it as they like, such as titles, notifications and terminals. */

/** Controls, marks that turn the direction of text, and everything else that shows nothing or looks like a space. */
const invisible =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Variation_Selector}\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0]/gu;

/** One line in which whatever could hide or turn the rest stands as its code, `<U+202E>`. */
export function visibleText(text: string): string {
  return text.replace(
    invisible,
    (character) => `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`,
  );
}

/** The same value as one line of JSON in which whatever could hide or turn the rest stands as its escape. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(invisible, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
