/** The web: an address is judged by its text alone, since a name is looked up only once a person said yes, and the words of a search go to its service. */
import { z } from "zod";
import type { Verdict } from "../../../shared/contract/decisions.ts";
import type { ToolOfKind } from "../../../shared/tools/tools.ts";
import { readAddress } from "../../policy/beyond/web-address.ts";
import { readPlace } from "../../web/address-class.ts";
import { type AskedCall, type Described, describeArguments, type ToolBehaviour } from "../tool-behaviour.ts";
import { judgeUnknown } from "./foreign.ts";

const urlArgs = z.object({ url: z.string() });
const searchArgs = z.object({ query: z.string() });

type WebTool = { judge(call: AskedCall): Verdict; describe(call: AskedCall): Promise<Described> };

const webTools: Record<ToolOfKind<"web">, WebTool> = {
  fetch_url: {
    judge({ tool, args }) {
      const given = urlArgs.safeParse(args);
      return given.success ? judgeUrl(given.data.url) : judgeUnknown(tool);
    },
    async describe(call) {
      const given = urlArgs.safeParse(call.args);
      if (!given.success) return describeArguments(call);
      const { url } = given.data;
      return { subject: { kind: "url", url }, shape: originShape(url), baseHash: undefined };
    },
  },
  web_search: {
    judge({ tool, args }) {
      const given = searchArgs.safeParse(args);
      return given.success ? judgeWebSearch(given.data.query) : judgeUnknown(tool);
    },
    describe: describeArguments,
  },
};

const toolOf = ({ tool }: AskedCall) => webTools[tool as ToolOfKind<"web">];

export const webKind: ToolBehaviour = {
  isFree: false,
  judge: async (call) => ({ verdict: toolOf(call).judge(call) }),
  describe: (call) => toolOf(call).describe(call),
};

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
