/** The commands of one thread, behind the dots at the end of its row. */
import { Ellipsis } from "lucide-react";
import type { ThreadSummary } from "../../../shared/contract/threads.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { spellOut } from "../../ui/reveal-characters.ts";
import { strings } from "./strings.ts";
import { threadEntries } from "./thread-entries.tsx";

export function ThreadMenu({ thread }: { thread: ThreadSummary }) {
  return (
    <Menu
      trigger={
        <IconButton
          label={strings.more(spellOut(thread.title || strings.untitled))}
          className="absolute z-10 top-1/2 right-1 -translate-y-1/2 bg-hover! opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[popup-open]:opacity-100"
        >
          <Ellipsis />
        </IconButton>
      }
      entries={() => threadEntries(thread)}
    />
  );
}
