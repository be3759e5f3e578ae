/** The dialogs about threads, drawn once by the shell whatever pane is shown. */
import { Suspense } from "react";
import { lazyPart } from "../base/load-code.ts";
import { AutoApproveDialog } from "../features/auto-approve/auto-approve-dialog.tsx";
import { useFolderChooser } from "../features/threads/create-thread.ts";
import { ThreadDialogs } from "../features/threads/thread-dialogs.tsx";

const FolderChooser = lazyPart(() => import("../features/threads/folder-chooser.tsx"));

export function ThreadOverlays() {
  const choosing = useFolderChooser((state) => state.open);
  return (
    <>
      <ThreadDialogs />
      <AutoApproveDialog />
      {choosing && (
        <Suspense>
          <FolderChooser />
        </Suspense>
      )}
    </>
  );
}
