/** Looks for a newer version when a person asks, and at no other time; installs it only when no command runs. */
import type { MessageBoxOptions } from "electron";
import type { AppUpdater } from "electron-updater";
import { messageOf } from "../../shared/message-of.ts";
import { describeCommands } from "./describe-commands.ts";
import { oneLine } from "./one-line.ts";

/** What is used of electron-updater. */
export type Updater = Pick<
  AppUpdater,
  | "allowDowngrade"
  | "allowPrerelease"
  | "autoDownload"
  | "autoInstallOnAppQuit"
  | "checkForUpdates"
  | "downloadUpdate"
  | "logger"
  | "quitAndInstall"
>;

type UpdateParts = {
  /** Whether this build may replace itself. */
  isAble: boolean;
  version: string;
  /** Loaded when it is first needed: it is large, and most people never ask. */
  load(): Promise<Updater>;
  /** Shows a dialog. @returns the number of the button that was pressed */
  ask(question: MessageBoxOptions): Promise<number>;
  runningCommands(): string[];
};

/** A dialog that only says something, or asks whether to do what the first button names. */
function question(message: string, detail?: string, button?: string): MessageBoxOptions {
  const buttons = button === undefined ? ["OK"] : [button, "Not now"];
  return { type: "info", message, detail, buttons, defaultId: 0, cancelId: buttons.length - 1, noLink: true };
}

/** @returns what a click on "Check for updates" does; a second click while the first is at work does nothing. */
export function createUpdateCheck(parts: UpdateParts): () => Promise<void> {
  let isAtWork = false;
  let downloaded: { updater: Updater; version: string } | undefined;

  async function check(): Promise<void> {
    if (!parts.isAble)
      return void (await parts.ask(
        question("This build does not update itself", "Get a newer version where you got this one."),
      ));
    downloaded ??= await offerDownload(parts);
    if (downloaded !== undefined) await offerInstall(parts, downloaded);
  }

  return async () => {
    if (isAtWork) return;
    isAtWork = true;
    try {
      await check();
    } catch (error) {
      const reason = oneLine(messageOf(error));
      const detail = `${reason}\nNothing was changed. You can try again later.`;
      await parts.ask(question("The update did not work", detail));
    } finally {
      isAtWork = false;
    }
  };
}

/** @returns the version that lies ready, or undefined when there is none or the person does not want it. */
async function offerDownload({ load, ask, version }: UpdateParts) {
  const updater = await load();
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.logger = null;
  const found = await updater.checkForUpdates();
  if (!found?.isUpdateAvailable) {
    await ask(question(`Countersign ${version} is the newest version`));
    return undefined;
  }
  const newer = oneLine(found.updateInfo.version);
  const detail = `You have ${version}. You are asked again before it is installed.`;
  const pressed = await ask(question(`Countersign ${newer} is available`, detail, "Download"));
  if (pressed !== 0) return undefined;
  await updater.downloadUpdate();
  return { updater, version: newer };
}

type Ready = { updater: Updater; version: string };

async function offerInstall(
  { ask, runningCommands }: UpdateParts,
  { updater, version }: Ready,
): Promise<void> {
  const effect =
    "Countersign closes, is replaced and opens again. Approvals keep waiting, and threads can be resumed.";
  const pressed = await ask(question(`Countersign ${version} is ready`, effect, "Restart and install"));
  if (pressed !== 0) return;
  // Looked at after the answer: a command may have started while the question was open.
  const running = runningCommands();
  if (running.length === 0) return updater.quitAndInstall(false, true);
  const { message, detail } = describeCommands(running);
  const named = detail.split("\n\n")[0];
  await ask(
    question(
      message,
      `${named}\n\nThe update is installed only when none runs. Check for updates again then.`,
    ),
  );
}
