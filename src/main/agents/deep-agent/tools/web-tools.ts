/** The web as tools: reading a page and searching, each only under an execution that passed the gate. */
import type { StructuredTool } from "@langchain/core/tools";
import { tool } from "langchain";
import { z } from "zod";
import { requireExecution } from "../../../gate/run-context.ts";

/** A page as the web layer read it. */
export type Page = {
  finalUrl: string;
  redirects: string[];
  status: number;
  title?: string;
  text: string;
  truncated: boolean;
};

export type WebAccess = {
  /** @param allowPrivate a person saw the address and allowed this one call; it holds for the private address that it shows. */
  fetch(url: string, allowPrivate: boolean, signal: AbortSignal): Promise<Page>;
  /** Absent while no search service is configured; the tool is then not offered. */
  search?: (query: string, signal: AbortSignal) => Promise<{ title: string; url: string; snippet: string }[]>;
};

/** Both act only inside of an execution, which says whether a page may be in the person's own network. */
export function createWebTools(web: WebAccess): StructuredTool[] {
  const fetchUrl = tool(
    async ({ url }) => {
      const execution = requireExecution(`fetching ${url}`);
      return writePage(await web.fetch(url, execution.mayReachOwnNetwork, execution.signal));
    },
    {
      name: "fetch_url",
      description: "Read a web page or text file over HTTP and get it as plain text.",
      schema: z.object({ url: z.string().describe("The full http or https address") }),
    },
  );
  const { search } = web;
  if (!search) return [fetchUrl as unknown as StructuredTool];
  const webSearch = tool(
    async ({ query }) => {
      const execution = requireExecution(`searching the web for ${query}`);
      const results = await search(query, execution.signal);
      return (
        results.map(({ title, url, snippet }) => `${title}\n${url}\n${snippet}`).join("\n\n") ||
        "Nothing was found."
      );
    },
    {
      name: "web_search",
      description: "Search the web. Answers with titles, addresses and snippets.",
      schema: z.object({ query: z.string() }),
    },
  );
  return [fetchUrl, webSearch] as unknown as StructuredTool[];
}

function writePage({ finalUrl, redirects, status, title, text, truncated }: Page): string {
  const head = [
    `${finalUrl} answered ${status}.`,
    ...(redirects.length > 0 ? [`Redirected by way of ${redirects.join(" → ")}.`] : []),
    ...(title ? [`Title: ${title}`] : []),
  ];
  return `${head.join("\n")}\n\n${text}${truncated ? "\n\n[The page is longer; the rest was cut off.]" : ""}`;
}
