/** Tells whether a reading tool would make much of little: widths and formats so large that its output would not end. */
import type { ProfileReading } from "./profiles/flag-profile.ts";
import type { ShellWord } from "./shell-word.ts";

/** Take their words as text, or hold them against rules of their own. */
const takeText = new Set(
  "echo printf test [ [[ cat grep egrep fgrep rg awk sed jq find seq sleep tr".split(" "),
);
/** The numbers among their options say where to begin and to end, and never how much to print for each thing. */
const onlyLimit = new Set("git head tail cut sort uniq cmp npm df".split(" "));

/** A width in a format, as in `%99999Y` or `%(align:99999)`. */
const wideFormat = /%.*\d{4}/s;
const wideNumber = /\d{5}/;

/** Why the output may be without end. */
export function describeWideOutput(
  name: string,
  words: readonly ShellWord[],
  { values }: ProfileReading,
): string | undefined {
  if (takeText.has(name)) return undefined;
  const texts = words.slice(1).map(({ value }) => value);
  const options = [...texts.filter((text) => text.startsWith("-")), ...[...(values?.values() ?? [])].flat()];
  const wide =
    texts.some((text) => wideFormat.test(text)) ||
    (!onlyLimit.has(name) && options.some((text) => wideNumber.test(text)));
  return wide ? "A number this large makes output without end." : undefined;
}
