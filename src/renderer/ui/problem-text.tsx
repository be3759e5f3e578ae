/** Why something did not work, told at once to who sees and who listens; of a form, one line per field. */
import type { FieldProblem, FileProblem } from "../../shared/contract/field-problem.ts";
import { useHost } from "../base/stores/host-store.ts";
import { shortenPath } from "../base/words.ts";
import { cx } from "./class-names.ts";
import { ExactText } from "./exact-text.tsx";
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

type ProblemListProps = {
  title: string;
  problems: readonly (FieldProblem | FileProblem)[];
  /** What to do about them. */
  hint?: string;
};

export function ProblemList({ title, problems, hint }: ProblemListProps) {
  const home = useHost((state) => state.host?.home);
  if (problems.length === 0) return null;
  return (
    <div role="alert" className="rounded-md border border-bad bg-bad-soft px-3 py-2 text-bad">
      <p className="font-medium">{title}</p>
      <ul className="text-sm">
        {problems.map((problem) => {
          const { field, message } = problem;
          const place = "file" in problem ? `${shortenPath(problem.file, home)} line ${problem.line}` : "";
          return (
            <li key={`${place} ${field} ${message}`} className="[overflow-wrap:anywhere]">
              {place && <ExactText text={place} oneLine />} {field && <ExactText text={field} oneLine />}{" "}
              <ForeignText text={message} lines />
            </li>
          );
        })}
      </ul>
      {hint && <p className="text-sm">{hint}</p>}
    </div>
  );
}
