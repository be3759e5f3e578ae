/** The overview: all threads over the whole width, with columns where there is room for them. */
import { useIsWide } from "../../base/media.ts";
import { OverviewTitle } from "./overview-row.tsx";
import { ThreadList } from "./thread-list.tsx";

export function ThreadsView() {
  const wide = useIsWide();
  return (
    <>
      {!wide && <OverviewTitle className="px-3 pt-2 text-lg" />}
      <ThreadList wide={wide} />
    </>
  );
}
