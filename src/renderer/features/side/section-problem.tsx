/** Why a section of the side panel could not be read, with a way to try again. */
import { Button } from "../../ui/button.tsx";
import { ProblemText } from "../../ui/problem-text.tsx";
import { strings } from "./strings.ts";

type SectionProblemProps = { lead: string; problem: string; onAgain: () => void };

export function SectionProblem({ lead, problem, onAgain }: SectionProblemProps) {
  return (
    <div className="flex flex-col items-start gap-1 text-sm">
      <ProblemText lead={lead} problem={problem} />
      <Button small onClick={onAgain}>
        {strings.again}
      </Button>
    </div>
  );
}
