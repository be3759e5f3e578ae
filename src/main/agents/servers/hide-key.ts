/** Leaves a server's key out of what it says: whole, in long pieces, and in the forms that it takes on its way. */

/** What stands in its place. */
export const hiddenKey = "<its key>";

export type KeyHider = {
  text(text: string): string;
  /** Where an end of a text begins that may be a piece of the key, of which the rest is still to come: of four letters or more. */
  openFrom(text: string): number;
  /** In every text of what was read, names of members among them; it must not be nested without end. */
  value(value: unknown): unknown;
};

/** Shorter ones are words that stand anywhere. */
const shortestKey = 8;
/** A key that stands in two or three places in pieces is still one; shorter pieces are what texts have in common. */
const shortestPiece = 12;
/** Four letters are looked up at a time, so far from each other that a piece of that length holds one of them. */
const lettersAtOnce = 4;
const stride = shortestPiece - lettersAtOnce + 1;

/** A server that repeats what it was sent would bring its key to cards, sentences and the disk. */
export function hiderOf(key: string | undefined): KeyHider {
  if (key === undefined || key.length < shortestKey)
    return { text: (text) => text, openFrom: ({ length }) => length, value: (value) => value };
  const base64 = Buffer.from(key).toString("base64");
  const forms = [
    ...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), base64.replace(/=+$/, "")]),
  ];
  const pieces = createPieces(forms);
  const text = (whole: string) => {
    // Pieces first: what is left of a whole one may be shorter than what is looked for.
    const rest = pieces.hide(whole);
    return forms.reduce((left, form) => left.replaceAll(form, hiddenKey), rest);
  };
  const value = (one: unknown): unknown => {
    if (typeof one === "string") return text(one);
    if (Array.isArray(one)) return one.map(value);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, member]) => [text(name), value(member)]));
  };
  const longest = Math.max(...forms.map(({ length }) => length));
  const openFrom = (begun: string) => {
    const last = begun.length - lettersAtOnce;
    for (let from = Math.max(begun.length - longest, 0); from <= last; from += 1)
      if (forms.some((form) => form.includes(begun.slice(from)))) return from;
    return begun.length;
  };
  return { text, openFrom, value };
}

/** Finds what a text has in common with one of the forms, wherever that begins and ends. */
function createPieces(forms: readonly string[]) {
  const places = new Map<string, { form: string; at: number }[]>();
  for (const form of forms)
    for (let at = 0; at + lettersAtOnce <= form.length; at += 1) {
      const letters = form.slice(at, at + lettersAtOnce);
      const known = places.get(letters);
      if (known) known.push({ form, at });
      else places.set(letters, [{ form, at }]);
    }

  /** How far what stands there goes on to be the same, to both sides. */
  function spanAt(text: string, at: number, place: { form: string; at: number }): [number, number] {
    let before = 0;
    while (before < Math.min(at, place.at) && text[at - before - 1] === place.form[place.at - before - 1])
      before += 1;
    let length = lettersAtOnce;
    while (at + length < text.length && text[at + length] === place.form[place.at + length]) length += 1;
    return [at - before, at + length];
  }

  function longestAt(text: string, at: number): [number, number] {
    let longest: [number, number] = [at, at];
    for (const place of places.get(text.slice(at, at + lettersAtOnce)) ?? []) {
      const span = spanAt(text, at, place);
      if (span[1] - span[0] > longest[1] - longest[0]) longest = span;
    }
    return longest;
  }

  return {
    hide(text: string): string {
      let hidden = "";
      let done = 0;
      for (let at = 0; at + lettersAtOnce <= text.length; ) {
        const [from, to] = longestAt(text, at);
        if (to - from < shortestPiece) {
          at += stride;
          continue;
        }
        hidden += text.slice(done, Math.max(from, done)) + hiddenKey;
        done = to;
        at = to;
      }
      return hidden + text.slice(done);
    },
  };
}
