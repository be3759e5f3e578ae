/** The actions that work everywhere: going places, the key sheet, a new thread, and the brake for auto-approve. */

import { registerActions } from "../base/actions.ts";
import { isInModal, isTextField } from "../base/keys.ts";
import { goByKey } from "../base/navigation.ts";
import { strings } from "../base/strings.ts";
import { createThread } from "../features/threads/create-thread.ts";
import { openKeySheet } from "../ui/key-sheet.tsx";
import { stopAllAutoApprove } from "./status-line.tsx";

export function registerShellActions(): () => void {
  const { sections, actions } = strings;
  return registerActions([
    {
      id: "go.queue",
      label: actions.goQueue,
      section: sections.go,
      keys: ["g q"],
      run: () => goByKey({ view: "queue" }),
    },
    {
      id: "go.threads",
      label: actions.goThreads,
      section: sections.go,
      keys: ["g t"],
      run: () => goByKey({ view: "threads" }),
    },
    {
      id: "app.keys",
      label: actions.keySheet,
      section: sections.app,
      keys: ["[Shift]+?"],
      run: openKeySheet,
    },
    {
      id: "field.leave",
      label: actions.leaveField,
      section: sections.app,
      keys: ["Escape"],
      inTextFields: true,
      hidden: true,
      when: () => isTextField(document.activeElement) && !isInModal(document.activeElement),
      run: () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
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
      section: sections.app,
      keys: ["$mod+Shift+Digit0"],
      inTextFields: true,
      run: () => void stopAllAutoApprove(),
    },
  ]);
}
