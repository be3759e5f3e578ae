/** Says once per run which door is not tested and why, so that a skipped project is never silently green. */
import { whyNoElectron } from "./door.ts";

export default function announceDoors(): void {
  const reason = whyNoElectron();
  if (reason !== undefined) console.log(`Electron: ${reason}`);
}
