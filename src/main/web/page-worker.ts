/** The thread in which pages are parsed, since a hostile page can keep a parser busy for minutes. */
import { parentPort } from "node:worker_threads";
import { readHtml } from "./readable-text.ts";

export type PageToRead = {
  readonly html: string;
  readonly base: string;
};

/** A page is answered with its text, or null when it cannot be read; null ends the thread. */
parentPort?.on("message", (page: PageToRead | null) => {
  if (page === null) return parentPort?.close();
  parentPort?.postMessage(read(page));
});

function read({ html, base }: PageToRead) {
  try {
    return readHtml(html, base);
  } catch {
    return null;
  }
}
