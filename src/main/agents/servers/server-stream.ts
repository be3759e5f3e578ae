/** Reads what a run tells while it works, as server-sent events: bounded, one after the other, each as it came. */
import type { CheckedAnswer } from "../../web/checked-request.ts";
import { explain, refusal, ServerError } from "./server-error.ts";
import { requestOf, type ServerNetwork, type Target, urlOf } from "./server-request.ts";

/** What stands in it is the server's, its key not left out. */
export type RunEvent = { id: string | undefined; name: string; data: string };

/** More than one message holds. */
const longestEvent = 1_000_000;
/** Some servers send fifteen hundred bytes for each word. */
const mostBytes = 64_000_000;
/** A line that broke without a word is joined again after this. */
const longestSilenceMs = 60_000;

/**
 * The events of a run behind one that is known, until the run ends or the line breaks.
 * @param after the id of the last one that was read; -1 for all. Only of runs that keep their events: of others it would take them
 * @throws ServerError, or the abort reason of `signal`
 */
export async function* readRunEvents(
  target: Target,
  { thread, run, after }: { thread: string; run: string; after: string },
  network: ServerNetwork,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error("It did not begin to answer.")), network.timeoutMs);
  const until = AbortSignal.any([signal, late.signal]);
  const url = urlOf(target.url, `/threads/${thread}/runs/${run}/stream`);
  const headers = { accept: "text/event-stream", "last-event-id": after };
  let response: CheckedAnswer | undefined;
  try {
    response = await requestOf(target, { method: "GET", url, headers }, network, until);
    clearTimeout(timer);
    const { statusCode: status = 0, headers: told } = response;
    if (status >= 400) throw refusal(url, status, "");
    if (status !== 200 || !told["content-type"]?.startsWith("text/event-stream") || told["content-encoding"])
      throw new ServerError("no", `${url.host} tells nothing of a run while it works.`, { status });
    response.setTimeout(longestSilenceMs, () => response?.destroy());
    yield* eventsIn(linesIn(response));
  } catch (error) {
    if (error instanceof ServerError) throw error;
    if (signal.aborted) throw signal.reason;
    throw explain(url, error, false);
  } finally {
    clearTimeout(timer);
    response?.destroy();
  }
}

async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = [];
  let length = 0;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    length += first.length;
    begun.push(first);
    if (length > longestEvent || bytes > mostBytes) throw tooMuch();
    for (const next of others) {
      yield begun.join("").replace(/\r$/, "");
      begun = [next];
      length = next.length;
    }
  }
}

async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<RunEvent> {
  let id: string | undefined;
  let name = "";
  let data: string[] = [];
  let length = 0;
  for await (const line of lines) {
    if (line === "") {
      if (data.length > 0) yield { id, name, data: data.join("\n") };
      [id, name, data, length] = [undefined, "", [], 0];
      continue;
    }
    length += line.length + 1;
    if (length > longestEvent) throw tooMuch();
    const [, field, value = ""] = /^([^:]*):? ?(.*)$/su.exec(line) ?? [];
    if (field === "id") id = value;
    else if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
}

const tooMuch = () => new ServerError("odd", "It tells more of a run than is read.");
