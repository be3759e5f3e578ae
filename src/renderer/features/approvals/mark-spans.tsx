/** Where in what a card shows the parts stand that the person did not write, and how they are marked. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { TextPart } from "../../ui/reveal-characters.ts";
import { RevealedText } from "../../ui/revealed-text.tsx";

/** By its characters. */
export type Span = { start: number; end: number };

export const marked =
  "rounded-sm bg-warn-soft text-ink underline decoration-warn decoration-dotted underline-offset-2";

type MarkedTextProps = { parts: readonly TextPart[]; spans: readonly Span[]; inProse: boolean };

/** @param spans in order, none over another, counted from where the parts begin */
export function MarkedText({ parts, spans, inProse }: MarkedTextProps) {
  if (spans.length === 0) return <RevealedText parts={parts} inProse={inProse} />;
  return cutAt(parts, spans).map(({ parts, isMarked }, index) => {
    const Around = isMarked ? "mark" : "span";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a stretch has no other identity than its place
      <Around key={index} className={isMarked ? marked : undefined}>
        <RevealedText parts={parts} inProse={inProse} />
      </Around>
    );
  });
}

type Stretch = { parts: TextPart[]; isMarked: boolean };

function cutAt(parts: readonly TextPart[], spans: readonly Span[]): Stretch[] {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  const cuts = [0, ...spans.flatMap(({ start, end }) => [start, end]), length];
  return cuts.slice(1).flatMap((end, index): Stretch[] => {
    const start = cuts[index]!;
    return start < end ? [{ parts: sliceParts(parts, start, end), isMarked: index % 2 === 1 }] : [];
  });
}

function sliceParts(parts: readonly TextPart[], start: number, end: number): TextPart[] {
  let at = 0;
  return parts.flatMap((part) => {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, part.text.length);
    at += part.text.length;
    return from < to ? [{ ...part, text: part.text.slice(from, to) }] : [];
  });
}

/** Of the parts that belong to a line those that lie in it, counted from its beginning. */
export function spansWithin(spans: readonly Span[], from: number, length: number): Span[] {
  return spans.flatMap(({ start, end }) => {
    const within = { start: Math.max(start - from, 0), end: Math.min(end - from, length) };
    return within.start < within.end ? [within] : [];
  });
}

/** In order, and those that touch or lie over each other as one. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}

const ellipsis = "…";
/** What stands there more often is some short word. */
const mostMarks = 100;

/** In an argument that the card shows as it is; where an edit moved it, nothing is marked. */
export function marksIn({ origins = [] }: Approval, text: string): Span[] {
  return origins.filter(({ start, end, text: said }) => {
    const isCut = said.endsWith(ellipsis);
    return end <= text.length && text.slice(start, end).startsWith(isCut ? said.slice(0, -1) : said);
  });
}

/** Wherever the text of a part stands in what is written as JSON. */
export function marksInJson({ origins = [] }: Approval, json: string): Span[] {
  return origins.flatMap(({ text: said }) => {
    const isCut = said.endsWith(ellipsis);
    const written = JSON.stringify(isCut ? said.slice(0, -1) : said).slice(1, -1);
    if (written === "") return [];
    const found: Span[] = [];
    for (let at = json.indexOf(written); at >= 0 && found.length < mostMarks; ) {
      found.push({ start: at, end: at + written.length });
      at = json.indexOf(written, at + written.length);
    }
    return found;
  });
}
