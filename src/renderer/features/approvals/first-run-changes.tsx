/** What the first run of a refused command changed, on the card that asks for a second: the command chose these names too. */
import { Fragment } from "react";
import type { ChangedFiles } from "../../../shared/contract/subjects.ts";
import { ExactText } from "../../ui/exact-text.tsx";
import { strings } from "./strings.ts";
import { Piece } from "./subject-parts.tsx";

export function FirstRunChanges({ changed: { count, paths, whole } }: { changed: ChangedFiles }) {
  const more = count - paths.length;
  return (
    <Piece name="changed" className="text-sm text-ink-2">
      {strings.firstRunChanged(count, whole, paths.length > 0)}
      {paths.map((path, at) => (
        <Fragment key={path}>
          {at > 0 ? ", " : " "}
          <ExactText text={path} oneLine />
        </Fragment>
      ))}
      {paths.length > 0 && more > 0 && ` ${strings.moreParts(more)}`}
    </Piece>
  );
}
