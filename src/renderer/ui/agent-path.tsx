/** The sub-agents down to the one that asks, each set apart, so that no name can pass for two. */
import { Fragment } from "react";
import { ForeignText } from "./foreign-text.tsx";

export function AgentPath({ path }: { path: readonly string[] }) {
  return (
    <span className="min-w-0">
      {path.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may repeat on the way down, its place does not
        <Fragment key={index}>
          {index > 0 && " › "}
          <ForeignText text={name} />
        </Fragment>
      ))}
    </span>
  );
}
