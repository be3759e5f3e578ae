/** Draws text with every misleading character pointed out; what is selected and copied stays the true text. */
import { Fragment } from "react";
import type { TextPart } from "./reveal-characters.ts";

type RevealedTextProps = {
  parts: readonly TextPart[];
  /** Dashes and quotes of print are only underlined, since a text is full of them. */
  inProse?: boolean;
  /** Its words stand in the order in which they run; else as a person reads them. */
  inOrder?: boolean;
};

export function RevealedText({ parts, inProse = false, inOrder = !inProse }: RevealedTextProps) {
  return parts.map((part, index) => {
    if (!part.hidden)
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity than their place
      return inOrder && hasRightToLeft(part.text) ? <InOrder key={index} text={part.text} /> : part.text;
    const { code, name, kind } = part.hidden;
    const label = `${code} ${name}`;
    const before = parts[index - 1]?.hidden;
    return inProse && kind === "sign" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity than their place
      <span key={index} title={label} className="underline decoration-bad decoration-dotted">
        {part.text}
      </span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <Pointed key={index} label={label} drawn={before?.name === name ? code : label} text={part.text} />
    );
  });
}

/**
 * The label is drawn by the style, so that it is not part of the text; the character itself stands in a box of one
 * pixel, where it can neither turn nor break the line; one without width would not be copied.
 * In a line that is cut the code alone is drawn, or the label would push out what it stands in.
 * @param drawn the code alone where the same was said just before: a pile of marks must not push the rest out of sight.
 */
function Pointed({ label, drawn, text }: { label: string; drawn: string; text: string }) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      data-label={drawn}
      data-code={label.split(" ", 1)}
      className="mx-px inline-block max-w-full rounded-sm bg-bad-soft px-1 text-[0.85em] leading-[1.3] font-semibold text-bad [unicode-bidi:isolate] after:content-[attr(data-label)] in-[.truncate]:after:content-[attr(data-code)] forced-colors:outline"
    >
      <span className="-mr-px inline-block h-[1em] w-px overflow-hidden align-bottom text-transparent whitespace-pre [unicode-bidi:isolate]">
        {text}
      </span>
    </span>
  );
}

// Hebrew to Arabic Extended, their forms for print, and the planes that Unicode keeps for such scripts.
const rightToLeft = /([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+)/u;

/** Whether it has words that are written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

function InOrder({ text }: { text: string }) {
  return text.split(rightToLeft).map(
    (part, index) =>
      // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a text have no other identity than their place
      index % 2 === 1 ? <bdi key={index}>{part}</bdi> : <Fragment key={index}>{part}</Fragment>,
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  );
}
