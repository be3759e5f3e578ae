/** What goes wrong with an MCP server, in words that tell the person (or the model) what to do next. */
import { SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { McpServer } from "../../../shared/contract/agents.ts";
import { messageOf } from "../../../shared/message-of.ts";

/** An MCP server cannot be used; the message is complete and meant to be read. */
export class McpServerError extends Error {
  override name = "McpServerError";
  readonly server: string;
  constructor(server: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.server = server;
  }
}

/** The HTTP status a server refused a request with, when that is what happened. */
export function httpStatusOf(cause: unknown): number | undefined {
  if (cause instanceof StreamableHTTPError || cause instanceof SseError) return cause.code;
  return cause instanceof Error && cause.name === "UnauthorizedError" ? 401 : undefined;
}

/** Whether the connection ended under a request. */
export function isConnectionClosed(cause: unknown): boolean {
  return (
    (cause instanceof McpError && cause.code === ErrorCode.ConnectionClosed) ||
    (cause instanceof Error && cause.message === "Not connected")
  );
}

/** Whether an address stopped answering: the request may or may not have arrived. */
export function isUnreachable(cause: unknown): boolean {
  return cause instanceof TypeError || systemCodeOf(cause) !== undefined;
}

/** Says that a server went away under a call. @param lastWords what a program wrote to its error output. */
export function explainLoss(server: McpServer, cause: unknown, lastWords: string): McpServerError {
  const unknown = "while it worked on this call, so whether it finished is unknown.";
  const text =
    server.transport === "stdio"
      ? `ended ${unknown} It is started again at the next call.`
      : `at ${server.url} went away ${unknown} Check that it runs; the next call connects again.`;
  return new McpServerError(server.name, `The MCP server ${server.name} ${text}${quote(lastWords)}`, {
    cause,
  });
}

/** Says that a server went away while nothing was asked of it. */
export function describeEnd(server: McpServer, lastWords: string): string {
  return server.transport === "stdio"
    ? `The MCP server ${server.name} ended. It is started again when it is next needed.${quote(lastWords)}`
    : `The MCP server ${server.name} at ${server.url} does not answer any more. Check that it runs; the next call connects again.`;
}

/** What a server says may repeat what it was given; the values of its environment and headers are not for showing. */
export function hideSecrets(server: McpServer, text: string): string {
  const values = Object.values(server.transport === "stdio" ? server.env : server.headers);
  return values
    .filter((value) => value.length >= 6)
    .reduce((shown, value) => shown.replaceAll(value, "•••"), text);
}

function quote(lastWords: string): string {
  return lastWords ? ` It wrote: ${lastWords}` : "";
}

/** Says why a server could not be started or reached. @param lastWords what a program wrote to its error output. */
export function explainStart(
  server: McpServer,
  cause: unknown,
  lastWords: string,
  startTimeoutMs: number,
): McpServerError {
  const reason =
    server.transport === "stdio"
      ? whyNotStarted(server.command, cause, startTimeoutMs)
      : whyNotReached(server.url, cause, startTimeoutMs);
  const text = `The MCP server ${server.name} ${hideSecrets(server, reason)}${quote(lastWords)}`;
  return new McpServerError(server.name, text, { cause });
}

function whyNotStarted(command: string, cause: unknown, startTimeoutMs: number): string {
  const code = systemCodeOf(cause);
  if (code === "ENOENT")
    return `could not be started: the program ${command} (or the folder to start it in) was not found. Install it, or give its full path.`;
  if (code === "EACCES") return `could not be started: ${command} may not be run. Check its permissions.`;
  if (isTimeout(cause))
    return `did not answer within ${startTimeoutMs / 1_000} seconds. Check that the command starts an MCP server that speaks over standard input and output.`;
  if (isConnectionClosed(cause)) return "ended before it answered. Run its command in a terminal to see why.";
  return `could not be started: ${shortMessageOf(cause)}`;
}

function whyNotReached(url: string, cause: unknown, startTimeoutMs: number): string {
  const status = httpStatusOf(cause);
  if (status === 401 || status === 403)
    return `refused the connection (HTTP ${status}). Add the header it wants, for example Authorization.`;
  if (status !== undefined && status > 0)
    return `answered with HTTP ${status}, so there is no MCP server at ${url}. Check the address.`;
  if (status !== undefined) return `answered, but not as an MCP server. Check the address ${url}.`;
  if (isTimeout(cause))
    return `did not answer within ${startTimeoutMs / 1_000} seconds. Check the address ${url}.`;
  const code = systemCodeOf(cause);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `could not be reached: the name in ${url} is not known. Check the address and the network.`;
  if (code === "ECONNREFUSED")
    return `could not be reached: nothing listens at ${url}. Start the server, or check the address.`;
  return `could not be reached at ${url}: ${shortMessageOf(cause)}`;
}

/** Whether a request got no answer in its time. */
export function isTimeout(cause: unknown): boolean {
  return cause instanceof McpError && cause.code === ErrorCode.RequestTimeout;
}

/** The system's code may sit in the error, in its cause, or in the first of several attempts. */
function systemCodeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  return systemCodeOf(cause instanceof AggregateError ? cause.errors[0] : cause.cause);
}

/** A remote server may answer with a whole page; a sentence of it is enough. */
const maxMessageChars = 2_000;

/** What was said, cut to what fits a notice: a server writes at any length. */
export function shortMessageOf(cause: unknown): string {
  return messageOf(cause).slice(0, maxMessageChars);
}
