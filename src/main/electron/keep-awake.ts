/** Holds off sleep while a turn runs, and only then. */
import { powerSaveBlocker } from "electron";

/** @returns a setter; the screen may go dark all the same. */
export function createKeepAwake(): (isWorking: boolean) => void {
  let id: number | undefined;
  return (isWorking) => {
    if (isWorking === (id !== undefined)) return;
    if (id === undefined) id = powerSaveBlocker.start("prevent-app-suspension");
    else {
      powerSaveBlocker.stop(id);
      id = undefined;
    }
  };
}
