/** Addresses in a text: where something can be sent. What stands in an encoded form is no address, but nobody can read it. */
import { isOpaque } from "../policy/beyond/web-address.ts";

/** A place in a text, by its characters. */
export type Span = { start: number; end: number };

const schemeCharacter = /[a-z0-9+.-]/iu;
const schemeBegins = /[a-z]/iu;
const behindScheme = /[^\s"'<>`)\]}]+/uy;
const mailCharacter = /[\p{L}\p{N}._%+-]/u;
const mailDomain = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/uy;
const webName = /(?<![\p{L}\p{N}@._-])www\.[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
/** Also `read.me` and `app.ts`: only where names of files are not to be expected. */
const bareName = /(?<![\p{L}\p{N}@._-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?![\p{L}\p{N}-])/giu;
const numbers = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/gu;

/** @param bare whether names with a dot count that have nothing else of an address */
export function addressesIn(text: string, bare: boolean): Span[] {
  const forms = [webName, numbers, ...(bare ? [bareName] : [])];
  const named = forms
    .flatMap((form) => [...text.matchAll(form)])
    .map(({ index, 0: match }) => ({ start: index, end: index + match.length }));
  const found = [...aroundEach(text, "://", schemed), ...aroundEach(text, "@", mailed), ...named]
    .map(({ start, end }) => ({ start, end: endOfAddress(text, start, end) }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const whole: Span[] = [];
  for (const span of found) if (span.start >= (whole.at(-1)?.end ?? 0)) whole.push(span);
  return whole;
}

/** A sentence goes on behind these. */
function endOfAddress(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && ".,;:!?".includes(text[last - 1]!)) last -= 1;
  return last;
}

type Side = { character: RegExp; begins?: RegExp; behind: RegExp };
const schemed: Side = { character: schemeCharacter, begins: schemeBegins, behind: behindScheme };
const mailed: Side = { character: mailCharacter, behind: mailDomain };

/** What stands around each mark, none of it looked at twice: an expression alone takes a long word time without end. */
function aroundEach(text: string, mark: string, { character, begins, behind }: Side): Span[] {
  const found: Span[] = [];
  let taken = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, Math.max(at + 1, taken))) {
    let start = at;
    while (start > taken && character.test(characterBefore(text, start))) start -= widthBefore(text, start);
    while (begins && start < at && !begins.test(text[start]!)) start += 1;
    behind.lastIndex = at + mark.length;
    const rest = start < at ? behind.exec(text) : null;
    if (rest === null) {
      // What stands before a mark that leads nowhere belongs to no later one.
      taken = at;
      continue;
    }
    taken = behind.lastIndex;
    found.push({ start, end: taken });
  }
  return found;
}

const isLow = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;
const widthBefore = (text: string, at: number) => (at > 1 && isLow(text, at - 1) ? 2 : 1);
const characterBefore = (text: string, at: number) => text.slice(at - widthBefore(text, at), at);

/** Whom an address reaches: its host, or all of an address for mail, in lower case. */
export function reachedBy(address: string): string {
  const lower = address.toLowerCase();
  const url = /^[a-z][a-z0-9+.-]*:\/\//u.test(lower)
    ? lower
    : lower.includes("@")
      ? undefined
      : `http://${lower}`;
  if (url === undefined || !URL.canParse(url)) return lower;
  return new URL(url).hostname.replace(/\.$/u, "") || lower;
}

const escapes = /%[0-9a-f]{2}|\\x[0-9a-f]{2}|\\u\{?[0-9a-f]{2,6}\}?|&#x?[0-9a-f]+;/giu;
/** One or two stand in ordinary text. */
const mostEscapes = 2;
const words = /[^\s"'<>`(),;]+/gu;

/** Words that may say something in a form that nobody reads here: base64, hexadecimal, escapes. */
export function unreadableIn(text: string): Span[] {
  return [...text.matchAll(words)]
    .filter(([word]) => isOpaque(word) || (word.match(escapes)?.length ?? 0) > mostEscapes)
    .map(({ index, 0: word }) => ({ start: index, end: index + word.length }));
}
