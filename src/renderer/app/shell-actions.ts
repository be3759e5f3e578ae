/** The actions that work everywhere: going places, the key sheet, a new thread, and the brake for auto-approve. */
import { createThread } from "../features/threads/create-thread.ts";
import { registerActions } from "./actions.ts";
import { openKeySheet } from "./key-sheet.tsx";
import { go } from "./navigation.ts";
import { stopAllAutoApprove } from "./status-line.tsx";
import { strings } from "./strings.ts";

export function registerShellActions(): () => void {
  const { sections, actions } = strings;
  return registerActions([
    {
      id: "go.queue",
      label: actions.goQueue,
      section: sections.go,
      keys: ["g q"],
      run: () => go({ view: "queue" }),
    },
    {
      id: "go.threads",
      label: actions.goThreads,
      section: sections.go,
      keys: ["g t"],
      run: () => go({ view: "threads" }),
    },
    {
      id: "app.keys",
      label: actions.keySheet,
      section: sections.app,
      keys: ["[Shift]+?"],
      run: openKeySheet,
    },
    {
      id: "threads.new",
      label: actions.newThread,
      section: sections.threads,
      keys: ["$mod+Alt+n"],
      inTextFields: true,
      run: () => void createThread(),
    },
    {
      id: "autoApprove.stopAll",
      label: actions.stopAutoApprove,
      section: sections.approvals,
      keys: ["$mod+Shift+0"],
      inTextFields: true,
      run: () => void stopAllAutoApprove(),
    },
  ]);
}
