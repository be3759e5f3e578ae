/** Judges an address that an agent wants to read, by its text alone: a name is looked up only once a person said yes. */
import type { Verdict } from "../../shared/contract/decisions.ts";
import { readAddress } from "../policy/beyond/web-address.ts";
import { readPlace } from "../web/address-class.ts";

/** An address in the own network asks, one that carries data leaves, a plain one is new. Never throws. */
export function judgeUrl(url: string): Verdict {
  const place = readPlace(url);
  const answer = (unit: Omit<Verdict["units"][number], "text">): Verdict => ({
    verdict: unit.verdict,
    units: [{ text: url, ...unit }],
  });
  if (place.kind === "none")
    return answer({ verdict: "ask", reason: "This is no web address that can be read.", source: "web:form" });
  if (place.kind === "private")
    return answer({
      verdict: "ask",
      reason: `It leads to ${place.shown}, which is this machine or its own network.`,
      source: "web:private",
    });
  const reading = readAddress(url);
  if ("carries" in reading)
    return answer({ verdict: "ask", reason: reading.carries, class: "leaves", source: "web:data" });
  return answer({ verdict: "new", reason: "It fetches a page from the internet.", source: "web:plain" });
}

/** A search hands its words to the service, whatever they are. */
export function judgeWebSearch(query: string): Verdict {
  const reason = "The words of a search go to the search service.";
  return {
    verdict: "ask",
    units: [{ text: query, verdict: "ask", reason, class: "leaves", source: "web:search" }],
  };
}

/** Pages of one site are looked at together; an address that cannot be read folds with nothing. */
export function originShape(address: string): string {
  const origin = URL.parse(address)?.origin ?? "null";
  return origin === "null" ? "" : `page of ${origin}`;
}
