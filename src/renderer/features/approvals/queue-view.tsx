/** The default screen: the approval queue on the whole main pane. */
import { QueueRegion } from "./queue-region.tsx";

export function QueueView() {
  return <QueueRegion />;
}
