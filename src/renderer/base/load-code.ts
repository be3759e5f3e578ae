/** Code of the page that comes from the host when it is first wanted, and so cannot come while the host is away. */
import { type ComponentType, lazy } from "react";
import { useConnection } from "./stores/host-store.ts";
import { strings } from "./strings.ts";

const pauseMs = 500;
/** More than one, since a load can fail before the lost connection is noticed. */
const mostFailuresWhileConnected = 4;

/** A component whose code is loaded when it is first drawn; it shows as loading while the host is away. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => loadCode(load));
}

/**
 * Tries again for as long as the host is away.
 * @throws when a host that answers does not have the code: it is then of another version than the page.
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  let failures = 0;
  for (;;) {
    try {
      return await load();
    } catch (cause) {
      if (useConnection.getState().state === "online") failures += 1;
      if (failures === mostFailuresWhileConnected) throw new Error(strings.codeMissing, { cause });
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
