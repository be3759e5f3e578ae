/** Markdown of an agent: the renderer comes in lazily, and until then the text stands as it is. */
import { memo, Suspense } from "react";
import { lazyPart } from "../../../base/load-code.ts";
import { showTurns } from "../../../ui/shown-turns.tsx";

const MarkdownView = lazyPart(() => import("./markdown-view.tsx"));
/** Above this, reading it as markdown would hold up the window; such a text is a file, not a message. */
const longestFormatted = 60_000;

export const Markdown = memo(function Markdown({
  text,
  streaming = false,
}: {
  text: string;
  streaming?: boolean;
}) {
  const plain = <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{showTurns(text)}</p>;
  if (text.length > longestFormatted) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownView text={text} streaming={streaming} />
    </Suspense>
  );
});
