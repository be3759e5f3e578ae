/** The public registry of agents that speak the protocol: read when a person asks for it, and nothing of it is fetched or started by that. */
import { z } from "zod";
import {
  type OuterAgent,
  outerAgentSchema,
  type RegistryEntry,
} from "../../../shared/contract/outer-agents.ts";
import { isExact, type Runner, readPackage, wordsApart } from "../../../shared/fetched-package.ts";
import { parseJson } from "../../base/parse-json.ts";
import { fileOfProgram, findProgram } from "../../shell/find-program.ts";
import { isPrivateAddress, resolveHost } from "../../web/address-class.ts";
import { requestChecked } from "../../web/checked-request.ts";
import { acceptedEncodings, readBody } from "../../web/response-body.ts";
import { toWebError, WebError } from "../../web/web-error.ts";

/** Where it is; replaced to try it with another one. */
export type RegistryPlace = { url: string; refuses: (address: string) => boolean };

const official: RegistryPlace = {
  url: "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json",
  refuses: isPrivateAddress,
};
const mostBytes = 2_000_000;
const mostEntries = 500;
const timeoutMs = 20_000;

const packageSchema = z.object({
  package: z.string(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string().regex(/^\w+$/), z.string()).default({}),
});
const entrySchema = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string().max(100),
  description: z.string().default(""),
  authors: z.array(z.string()).default([]),
  license: z.string().default(""),
  distribution: z.object({ npx: packageSchema.optional(), uvx: packageSchema.optional() }),
});
const registrySchema = z.object({ agents: z.array(z.unknown()) });

/**
 * Asks once; a redirect is an error.
 * @param path the folders in which what fetches packages is looked for
 * @returns what it lists by name, and how many entries nobody here understands
 * @throws WebError that says why it could not be read
 */
export async function readRegistry(
  version: string,
  path: string,
  { url, refuses }: RegistryPlace = official,
): Promise<{ entries: RegistryEntry[]; leftOut: number }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const headers = {
    "user-agent": `Countersign/${version}`,
    accept: "application/json",
    "accept-encoding": acceptedEncodings,
  };
  try {
    const asked = { resolve: resolveHost, refuses, headers, signal: timeout };
    const response = await requestChecked(new URL(url), asked);
    if (response.statusCode !== 200) {
      response.destroy();
      throw new WebError("network", `${url} answered with status ${response.statusCode}. Try again later.`);
    }
    const { text, truncated } = await readBody(response, mostBytes, "utf-8");
    if (truncated) throw new WebError("network", `${url} answered with more than ${mostBytes} bytes.`);
    return listed(text, url, path);
  } catch (cause) {
    throw toWebError(cause, url, { timeout });
  }
}

function listed(text: string, url: string, path: string) {
  const all = registrySchema.safeParse(parseJson(text));
  if (!all.success) throw new WebError("content-type", `${url} answered with something that is no registry.`);
  const { agents } = all.data;
  const entries = agents.slice(0, mostEntries).flatMap((one) => toEntry(one, path) ?? []);
  const byName = entries.toSorted((one, other) => one.name.localeCompare(other.name));
  return { entries: byName, leftOut: agents.length - entries.length };
}

function toEntry(told: unknown, path: string): RegistryEntry | undefined {
  const { data } = entrySchema.safeParse(told);
  if (data === undefined) return undefined;
  const { id, name, version, license, distribution } = data;
  const start = startOf(distribution, path);
  const words = "why" in start ? { command: "-", args: [] } : start;
  const { data: agent } = outerAgentSchema.safeParse({ id, name, ...words });
  if (agent === undefined) return undefined;
  return {
    id: agent.id,
    name: agent.name,
    version,
    license: license.slice(0, 200),
    publisher: data.authors.join(", ").slice(0, 200),
    description: data.description.slice(0, 500),
    ...("why" in start ? start : { agent }),
  };
}

type Distribution = z.output<typeof entrySchema>["distribution"];

/** The words that start it, or why there are none. */
function startOf(
  distribution: Distribution,
  path: string,
): Pick<OuterAgent, "command" | "args"> | { why: string } {
  const runner: Runner = distribution.npx ? "npx" : "uvx";
  const told = distribution[runner];
  if (told === undefined)
    return {
      why: "It is a program to download, which is not done from here. Install it, then add it by its path.",
    };
  const named = readPackage(runner, told.package);
  if (named === undefined || !isExact(runner, named.version))
    return { why: "The registry names no exact version of its package, so it is not known what would run." };
  const variables = Object.entries(told.env).map(([name, value]) => `${name}=${value}`);
  const programs = variables.length === 0 ? [runner] : ["env", runner];
  const found = programs.map((one) => findProgram(fileOfProgram(one), path));
  const missing = programs.find((_, at) => found[at] === undefined);
  if (missing !== undefined) return { why: `It is started by ${missing}, which is not on this computer.` };
  const words = [...wordsApart[runner], told.package, ...told.args];
  const [command = "", behind] = found;
  return { command, args: behind === undefined ? words : [...variables, behind, ...words] };
}
