/** Keyboards of six countries: what each key prints alone and with Shift, in the order of their places. */

const codes = [
  ..."1234567890".split("").map((digit) => `Digit${digit}`),
  "Minus",
  "Equal",
  ..."QWERTYUIOP".split("").map((letter) => `Key${letter}`),
  "BracketLeft",
  "BracketRight",
  ..."ASDFGHJKL".split("").map((letter) => `Key${letter}`),
  "Semicolon",
  "Quote",
  ..."ZXCVBNM".split("").map((letter) => `Key${letter}`),
  "Comma",
  "Period",
  "Slash",
  "Backslash",
];

const rows: Record<string, readonly [string, string]> = {
  us: ["1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./\\", '!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>?|'],
  gb: ["1234567890-=qwertyuiop[]asdfghjkl;'zxcvbnm,./#", '!"£$%^&*()_+QWERTYUIOP{}ASDFGHJKL:@ZXCVBNM<>?~'],
  de: ["1234567890ß´qwertzuiopü+asdfghjklöäyxcvbnm,.-#", "!\"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄYXCVBNM;:_'"],
  fr: ["&é\"'(-è_çà)=azertyuiop^$qsdfghjklmùwxcvbn,;:!*", "1234567890°+AZERTYUIOP¨£QSDFGHJKLM%WXCVBN?./§µ"],
  es: ["1234567890'¡qwertyuiop`+asdfghjklñ´zxcvbnm,.-ç", '!"·$%&/()=?¿QWERTYUIOP^*ASDFGHJKLÑ¨ZXCVBNM;:_Ç'],
  ru: ["1234567890-=йцукенгшщзхъфывапролджэячсмитьбю.\\", '!"№;%:?*()_+ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ,/'],
};

export const keyboardNames = Object.keys(rows);

/** One press of a key: its place, what it prints, and whether Shift is held. */
export type KeyPress = { code: string; key: string; shiftKey: boolean };

const dead = new Set(["´", "`", "^", "¨"]);

function at(keyboard: string, index: number, shiftKey: boolean): KeyPress {
  const key = [...rows[keyboard]![shiftKey ? 1 : 0]][index]!;
  return { code: codes[index]!, key: dead.has(key) ? "Dead" : key, shiftKey };
}

/** How a person types this character, or presses the key at its place where the keyboard does not have it. */
export function pressOf(keyboard: string, character: string, shift = false): KeyPress {
  const [plain, shifted] = rows[keyboard]!.map((row) => [...row]);
  const wanted = character.toLowerCase();
  if (/\d/.test(wanted)) return at(keyboard, codes.indexOf(`Digit${wanted}`), shift);
  const alone = plain!.indexOf(wanted);
  if (alone >= 0) return at(keyboard, alone, shift);
  const withShift = shifted!.indexOf(wanted);
  if (withShift >= 0) return at(keyboard, withShift, true);
  return at(keyboard, codes.indexOf(`Key${wanted.toUpperCase()}`), shift);
}
