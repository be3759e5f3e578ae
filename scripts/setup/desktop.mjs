/** Opens the desktop app, and finds out whether a person got to see it. */
import { root, SetupError } from "./project.mjs";
import { become } from "./run.mjs";

/**
 * Resolves to the exit code of the app; or, where it ended before it showed a window, to the `problem` as the beginning
 * of a sentence: a program that cannot be started, a missing library, a display that answers nobody. An app that ended well or was asked to has none; the
 * first one handed over to a window that is open already.
 */
export async function openDesktop(electron, args) {
  try {
    return await startDesktop(electron, args);
  } catch (error) {
    if (error instanceof SetupError) return { problem: "Electron could not be started" };
    throw error;
  }
}

async function startDesktop(electron, args) {
  let hasWindow = false;
  const { code, wasStopped } = await become(electron, [root, ...args], {
    // Set by some editors' terminals; it would turn Electron into a plain Node.
    env: { ELECTRON_RUN_AS_NODE: undefined },
    channel: true,
    onMessage: (message) => {
      if (message?.type === "window-shown") hasWindow = true;
    },
  });
  if (code === 0 || hasWindow || wasStopped) return { code };
  return { problem: `Electron ended before it showed a window (exit code ${code})` };
}
