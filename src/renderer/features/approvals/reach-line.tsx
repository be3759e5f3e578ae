/** What the action would reach, from facts that the host looked up: how many files, where to, and what nobody knows. */
import { ArrowUpRight, Circle, CircleHelp, FilePenLine, FileX, type LucideIcon } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import type { Approval, Reach } from "../../../shared/contract/approvals.ts";
import { client } from "../../base/client.ts";
import { useReading } from "../../base/use-reading.ts";
import { cx } from "../../ui/class-names.ts";
import { ForeignText } from "../../ui/foreign-text.tsx";
import { subjectStrings } from "./subject-strings.ts";

const passingMs = 120;

type Fact = Reach["facts"][number];
type Drawn = { icon: LucideIcon; tone: string; words: ReactNode };

export function ReachLine({ approval }: { approval: Approval }) {
  const wanted = hasReach(approval);
  const { id, digest } = approval;
  const ask = () => client().call("approvals.reach", { id });
  const { value: reach, busy } = useReading(wanted ? `${id}:${digest}` : undefined, ask, passingMs);
  // What is missing, or was said of an earlier state of the card, claims nothing.
  const final = approval.verdict.units.some((unit) => unit.class === "final");
  const drawn = reach && !busy ? factsOf(reach, final) : [];
  if (!wanted) return null;
  return (
    // The room is there before the answer is, so that nothing below it moves.
    <ul
      aria-label={subjectStrings.reaches}
      className="flex min-h-5 flex-wrap gap-x-5 gap-y-0.5 text-ink-2 [&_svg]:size-3.5"
    >
      {drawn.map(({ icon: Icon, tone, words }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fact has no other identity than its place
        <li key={index} className="flex min-w-0 items-baseline gap-1.5">
          <Icon aria-hidden className={cx("shrink-0 translate-y-0.5", tone)} />
          <span className="min-w-0">{words}</span>
        </li>
      ))}
    </ul>
  );
}

/** A question reaches nothing, and what a crash left unknown is told by its own card. */
function hasReach({ subject }: Approval): boolean {
  if (subject.kind === "file") return subject.operation !== "read" && !subject.stale;
  return subject.kind === "command" || subject.kind === "url" || subject.kind === "arguments";
}

function factsOf({ facts, unknown, unknownAll }: Reach, final: boolean): Drawn[] {
  const known = facts.map((fact) => drawFact[fact.kind](fact as never, final));
  if (unknown.length === 0 && !unknownAll)
    return known.length > 0
      ? known
      : [{ icon: Circle, tone: "text-ink-3", words: subjectStrings.reach.none }];
  const words =
    unknown.length > 0 && !unknownAll ? (
      <>
        {subjectStrings.reach.unknownOf} <Names names={unknown} />{" "}
        {subjectStrings.reach.unknownEnd(unknown.length)}
      </>
    ) : (
      subjectStrings.reach.unknown
    );
  return [...known, { icon: CircleHelp, tone: "text-ink-3", words }];
}

const drawFact: { [K in Fact["kind"]]: (fact: Extract<Fact, { kind: K }>, final: boolean) => Drawn } = {
  deletes: ({ kept, lost, more }, final) => ({
    icon: FileX,
    tone: lost > 0 || more ? "text-bad" : "text-ink-2",
    words: subjectStrings.reach.deletes(lost, kept, more, final),
  }),
  leaves: ({ to, more }) => ({
    icon: ArrowUpRight,
    tone: "text-bad",
    words:
      to.length === 0 ? (
        subjectStrings.reach.leavesSomewhere
      ) : (
        <>
          {subjectStrings.reach.leaves} <Names names={to} />
          {more && ` ${subjectStrings.reach.perhapsMore}`}
        </>
      ),
  }),
  writes: ({ kept, lost, created, more }) => ({
    icon: FilePenLine,
    tone: lost > 0 ? "text-warn" : "text-ink-2",
    words: subjectStrings.reach.writes(created, kept, lost, more),
  }),
};

function Names({ names }: { names: readonly string[] }) {
  return names.map((name, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: names have no other identity than their place
    <Fragment key={index}>
      {index > 0 && ", "}
      <ForeignText text={name} className="font-medium" />
    </Fragment>
  ));
}
