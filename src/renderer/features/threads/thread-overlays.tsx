/** The dialogs about threads, drawn once by the shell whatever pane is shown. */
import { Suspense } from "react";
import { lazyPart } from "../../app/load-code.ts";
import { AutoApproveDialog } from "./auto-approve-dialog.tsx";
import { useFolderChooser } from "./create-thread.ts";
import { ThreadDialogs } from "./thread-dialogs.tsx";

const FolderChooser = lazyPart(() => import("./folder-chooser.tsx"));

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
