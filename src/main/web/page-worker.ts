/** The thread in which one page is parsed, since a hostile page can keep a parser busy for minutes. */
import { parentPort, workerData } from "node:worker_threads";
import { readHtml } from "./readable-text.ts";

const { html, base }: { html: string; base: string } = workerData;
parentPort?.postMessage(readHtml(html, base));
