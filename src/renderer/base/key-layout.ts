/** What a pressed key means on the person's own keyboard: letters as printed, and where none are Latin, by their place. */

/** What stands on a key of a keyboard with Latin letters, by the key's place. */
const places: Record<string, string> = {
  Period: ".",
  Comma: ",",
  Slash: "/",
  ...Object.fromEntries(
    [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => [`Key${letter.toUpperCase()}`, letter]),
  ),
  ...Object.fromEntries([..."0123456789"].map((digit) => [`Digit${digit}`, digit])),
};

type Press = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

/**
 * The key that is meant. A key that prints an ASCII character means that, wherever it is. One that prints a letter of
 * another alphabet, an accent or nothing yet ("Dead") means what stands at its place on a Latin keyboard, and a digit's
 * key means its digit where that takes Shift, as on French keyboards.
 */
export function meantKey({ key, code, shiftKey }: Press): string {
  const placed = places[code];
  if (placed === undefined) return key;
  if (key === "Dead" || /^[^\0-\x7f]$/u.test(key)) return placed;
  return code.startsWith("Digit") && !shiftKey && /^[^\da-z]$/i.test(key) ? placed : key;
}

/** The same event, with the key that is meant. */
export function asMeant(event: KeyboardEvent): KeyboardEvent {
  const key = meantKey(event);
  if (key === event.key) return event;
  return new Proxy(event, {
    get(target, name) {
      if (name === "key") return key;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

type LayoutMap = ReadonlyMap<string, string>;
type KeyboardOfNavigator = { keyboard?: { getLayoutMap(): Promise<LayoutMap> } };

let layout: LayoutMap | undefined;

/** Asks the browser once what is printed on the keys; where it does not tell, Latin letters are shown. */
export async function readKeyLayout(): Promise<void> {
  layout = await (navigator as KeyboardOfNavigator).keyboard?.getLayoutMap().catch(() => undefined);
}

/** What is printed on the key that means this letter: itself, or the letter of another alphabet at its place. */
export function printedLetter(letter: string, known: LayoutMap | undefined = layout): string {
  if (!/^[a-z]$/i.test(letter) || known === undefined) return letter;
  if ([...known.values()].includes(letter.toLowerCase())) return letter;
  const own = known.get(`Key${letter.toUpperCase()}`);
  return own === undefined ? letter : letter === letter.toUpperCase() ? own.toUpperCase() : own;
}
