/** Addresses in a text: where something can be sent. What stands in an encoded form is no address, but nobody can read it. */
import { isOpaque } from "../../../src/main/policy/beyond/web-address.ts";

/** A place in a text, by its characters. */
export type Span = { start: number; end: number };

const withScheme = /[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`)\]}]+/giu;
const mail = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
const webName = /(?<![\p{L}\p{N}@._-])www\.[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
/** Also `read.me` and `app.ts`: only where names of files are not to be expected. */
const bareName = /(?<![\p{L}\p{N}@._-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?![\p{L}\p{N}-])/giu;
const numbers = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/gu;

/** @param bare whether names with a dot count that have nothing else of an address */
export function addressesIn(text: string, bare: boolean): Span[] {
  const forms = [withScheme, mail, webName, numbers, ...(bare ? [bareName] : [])];
  const found = forms
    .flatMap((form) => [...text.matchAll(form)])
    .map(({ index, 0: match }) => ({ start: index, end: index + match.replace(/[.,;:!?]+$/u, "").length }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const whole: Span[] = [];
  for (const span of found) if (span.start >= (whole.at(-1)?.end ?? 0)) whole.push(span);
  return whole;
}

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
