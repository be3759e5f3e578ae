/** What of an action the person did not write: each part with where it came from, in one line. */
import { Quote } from "lucide-react";
import type { Approval, CardOrigin } from "../../../shared/contract/approvals.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { marked } from "./mark-spans.tsx";
import { subjectStrings } from "./subject-strings.ts";

/** Each takes the room of a line; whoever wants to know of more sees the parts themselves. */
const mostLines = 4;

export function OriginLines({ approval: { origins = [] } }: { approval: Approval }) {
  const places = new Set(origins.flatMap((origin) => (origin.what === "place" ? saidOf(origin) : [])));
  const [...lines] = new Map(
    origins
      // A name such as "notes.md" may be either: it is told once.
      .filter((origin) => origin.what !== "address" || !places.has(saidOf(origin)))
      .map((origin) => [`${origin.what} ${origin.text}`, origin]),
  ).values();
  if (lines.length === 0) return null;
  const more = lines.length - mostLines;
  return (
    <ul
      aria-label={subjectStrings.notFromYou}
      className="flex flex-col gap-y-0.5 text-ink-2 [&_svg]:size-3.5"
    >
      {lines.slice(0, mostLines).map((origin) => (
        <li key={`${origin.what} ${origin.text}`} className="flex min-w-0 items-baseline gap-1.5">
          <Quote aria-hidden className="shrink-0 translate-y-0.5 text-warn" />
          <span className="min-w-0">
            <Sentence origin={origin} />
          </span>
        </li>
      ))}
      {more > 0 && <li className="pl-5 text-ink-3">{subjectStrings.moreParts(more)}</li>}
    </ul>
  );
}

/** What its line says, but for what it is. */
function saidOf({ text, from, secret = false }: CardOrigin): string {
  return [text, from, secret].join("\n");
}

function Sentence({ origin: { what, text, from, secret, steps } }: { origin: CardOrigin }) {
  const words = subjectStrings.origins[what];
  if (from === undefined)
    return (
      <>
        {words.before} <Part text={text} /> {words.unsaid}
      </>
    );
  return (
    <>
      {words.before} <Part text={text} /> {words.cameFrom} <ForeignText text={from} className="font-medium" />
      {subjectStrings.origins.ago(steps ?? 0, secret === true)}
    </>
  );
}

function Part({ text }: { text: string }) {
  return <ForeignText text={text} className={marked} />;
}
