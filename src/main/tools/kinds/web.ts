/** The web: an address is judged by its text alone, and the words of a search go to its service. */
import { z } from "zod";
import type { Verdict } from "../../../shared/contract/decisions.ts";
import type { ToolOfKind } from "../../../shared/tools/tools.ts";
import { judgeUrl, judgeWebSearch, originShape } from "../judge-url.ts";
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
