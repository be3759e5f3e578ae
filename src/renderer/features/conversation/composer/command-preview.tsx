/** What a command would put into the field, before it is chosen. */
import type { MessageCommand } from "../../../../shared/contract/agents.ts";
import { ForeignText } from "../../../ui/foreign-text.tsx";
import { strings } from "../strings.ts";
import { shownPart } from "./long-text.ts";

export function CommandPreview({ command }: { command: MessageCommand }) {
  const { shown, moreLines } = shownPart(command.text);
  return (
    <section
      aria-label={strings.commandText}
      className="flex flex-col gap-1 border-t border-line px-2.5 py-1.5 text-sm"
    >
      <p className="text-ink-3">
        {strings.commandFrom[command.from]} · <ForeignText text={command.file} />
      </p>
      <p className="max-h-40 overflow-hidden border-l-2 border-line-strong pl-2 text-ink-2">
        <ForeignText text={shown} lines />
      </p>
      {moreLines && <p className="text-ink-3">{strings.commandMore}</p>}
    </section>
  );
}
