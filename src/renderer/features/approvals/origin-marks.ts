/** Where in what a card shows the parts stand that the person did not write. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import type { Span } from "./mark-spans.tsx";

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
