/** The overview: all threads over the whole width, with columns where there is room for them. */
import { useIsWide } from "../../base/media.ts";
import { ThreadList } from "./thread-list.tsx";

export function ThreadsView() {
  return <ThreadList wide={useIsWide()} />;
}
