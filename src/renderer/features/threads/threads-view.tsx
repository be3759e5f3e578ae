/** The threads list as a pane of its own, where only one pane fits. */
import { ThreadList } from "./thread-list.tsx";

export function ThreadsView() {
  return <ThreadList />;
}
