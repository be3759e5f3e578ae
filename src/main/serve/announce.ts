/** Tells whoever started browser mode how to open it: by an address that works once, as often as it is asked for. */
import type { Access } from "./access.ts";
import type { Door } from "./door.ts";

const minuteMs = 60_000;
/** Printed: a person may come back to the terminal. Opened: a browser needs no longer, and others can read it. */
const printed = { lifetimeMs: 10 * minuteMs, isExposed: false };
const opened = { lifetimeMs: 2 * minuteMs, isExposed: true };
/** After so long without a page, the browser that was asked to come is taken for one that does not. */
const patienceMs = 20_000;

export type AnnounceOptions = {
  door: Pick<Door, "address">;
  access: Pick<Access, "exchanged" | "onWithdrawn">;
  /** What is wrong with what the host found on the disk, in sentences; the page tells it too. */
  warnings: readonly string[];
  /** Print one line of JSON for each address, and nothing else to stdout. */
  json: boolean;
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  /** Hears each line somebody types or sends, which asks for another address. */
  onRequestLine: (listener: () => void) => Promise<void>;
  /** Resolves to why it could not, as a part of a sentence; absent where no browser is to be opened. */
  openBrowser?: (address: string) => Promise<string | undefined>;
  patienceMs?: number;
};

const byHand = "Open the address above yourself.";

/** Prints the first address, opens the browser where wanted, and goes on answering. Never throws. */
export async function announce(options: AnnounceOptions): Promise<void> {
  const { door, access, json, stdout, stderr } = options;
  const print = () => {
    const url = door.address(printed);
    stdout.write(json ? `${JSON.stringify({ url })}\n` : `Countersign is at ${url}\n`);
  };
  print();
  for (const warning of options.warnings) stderr.write(`${warning}\n`);
  if (!json)
    stdout.write(
      "The address lets one page in, within 10 minutes. Press Enter for another, Ctrl+C to stop.\n",
    );
  access.onWithdrawn(() =>
    stderr.write(
      "The address that was opened in your browser has been used twice, so somebody else may have read it. " +
        "The page that came by it is shut out. Press Enter for a new address.\n",
    ),
  );
  // Neither can fail the host: whatever goes wrong, the printed address works.
  await Promise.allSettled([options.onRequestLine(print), openAndWait(options)]);
}

async function openAndWait({ door, access, stderr, ...options }: AnnounceOptions): Promise<void> {
  if (options.openBrowser === undefined) return;
  const before = access.exchanged();
  const problem = await options.openBrowser(door.address(opened)).catch(String);
  if (problem !== undefined) {
    stderr.write(`The browser could not be opened (${problem}). ${byHand}\n`);
    return;
  }
  setTimeout(() => {
    if (access.exchanged() === before)
      stderr.write(`No page has come from the browser that was asked to open. ${byHand}\n`);
  }, options.patienceMs ?? patienceMs).unref();
}
