/** Why something did not work, as it is told at once to who sees and who listens: the words of a host, a file or a server. */
import { cx } from "./class-names.ts";
import { ForeignText } from "./foreign-text.tsx";

type ProblemTextProps = {
  problem: string;
  /** The console's own words before it. */
  lead?: string;
  id?: string;
  className?: string;
};

export function ProblemText({ problem, lead, id, className }: ProblemTextProps) {
  return (
    <p id={id} role="alert" className={cx("text-bad", className)}>
      {lead !== undefined && `${lead} `}
      <ForeignText text={problem} lines />
    </p>
  );
}
