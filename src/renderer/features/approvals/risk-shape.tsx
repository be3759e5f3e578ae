/** Risk and kind of a request as a shape: each differs in outline, so that neither colour nor fill has to tell them apart. */
import type { Approval } from "../../../shared/contract/approvals.ts";
import { cx } from "../../ui/class-names.ts";
import { LineShape } from "../../ui/line-shape.tsx";

type Shape = "low" | "medium" | "high" | "question" | "recovery";

const tones: Record<Shape, string> = {
  low: "text-ink-3",
  medium: "text-warn",
  high: "text-bad",
  question: "text-ink-2",
  recovery: "text-warn",
};

const drawings: Record<Shape, React.ReactNode> = {
  low: <circle cx="8" cy="8" r="4.5" />,
  medium: (
    <>
      <path d="M8 2.2 13.8 8 8 13.8 2.2 8z" />
      <path d="M8 2.2 13.8 8 8 13.8z" fill="currentColor" />
    </>
  ),
  high: (
    <>
      <path d="M8 1.8 15 14H1z" fill="currentColor" />
      <path d="M8 6.2v3.4M8 11.7v.1" stroke="var(--surface)" />
    </>
  ),
  question: (
    <>
      <path d="M3.5 2.5h9a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H8.5L5.5 14v-2.5h-2a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1z" />
      <path d="M6.5 5.7c.1-1 .8-1.4 1.5-1.4.9 0 1.6.6 1.6 1.3 0 1-1.6 1.2-1.6 2.2M8 9.5v.1" />
    </>
  ),
  recovery: <path d="M13 8a5 5 0 1 1-1.6-3.7M13.2 2v2.9h-2.9" />,
};

/** Its words stand beside it or in the name of its row. */
export function RiskShape({ approval, className }: { approval: Approval; className?: string }) {
  const shape = shapeOf(approval);
  return <LineShape className={cx(tones[shape], className)}>{drawings[shape]}</LineShape>;
}

function shapeOf({ risk, subject }: Approval): Shape {
  if (risk === "high") return "high";
  if (subject.kind === "question" || subject.kind === "recovery") return subject.kind;
  return risk;
}
