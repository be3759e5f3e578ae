/** Opens a file of a thread's folder, or the folder, in the person's own programs, and says what became of it. */

import type { ThreadId } from "../../../shared/ids.ts";
import { client } from "../../base/client.ts";
import { attempt } from "../../ui/attempt.ts";
import { spellOut } from "../../ui/reveal-characters.ts";
import { showToast } from "../../ui/toast.tsx";
import { strings } from "./strings.ts";

/** Opens the file in the editor; one that could run when it is opened is shown in its folder instead, and that is said. */
export async function openInEditor(threadId: ThreadId, path: string): Promise<void> {
  await ask(threadId, path, "editor");
}

/** @param path empty for the thread's folder itself. */
export async function showInFolder(threadId: ThreadId, path: string): Promise<void> {
  await ask(threadId, path, "folder");
}

async function ask(threadId: ThreadId, path: string, how: "editor" | "folder"): Promise<void> {
  const open = () => client().call("files.open", { threadId, path, how });
  const opened = await attempt(open, path === "" ? strings.folderNotOpened : strings.fileNotOpened);
  if (opened && opened.done !== how) showToast(strings.onlyShown(spellOut(path)));
}
