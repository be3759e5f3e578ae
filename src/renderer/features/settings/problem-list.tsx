/** What is wrong with something a person wrote, one line per field, announced at once. */
import type { FieldProblem } from "./name-problems.ts";

export function ProblemList({ title, problems }: { title: string; problems: readonly FieldProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" className="rounded-md border border-bad bg-bad-soft px-3 py-2 text-bad">
      <p className="font-medium">{title}</p>
      <ul className="text-sm">
        {problems.map(({ field, message }) => (
          <li key={`${field} ${message}`} className="[overflow-wrap:anywhere]">
            {field && <code className="code-text font-medium">{field}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
