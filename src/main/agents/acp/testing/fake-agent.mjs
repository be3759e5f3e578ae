/**
 * A fake agent of the protocol, and nothing else: no model stands behind it. Each line of a message, such as `run ls`, is
 * a step; it keeps its session and what it has done in a file, so that it can be loaded again. It is a program of its own,
 * on the protocol's official package.
 */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";

const [, , journal] = process.argv;
const sessionId = "fake-session";
let cwd = process.cwd();
let client;
let cancelled = false;

const seen = () => (existsSync(journal) ? readFileSync(journal, "utf8").trim().split("\n") : []);
const note = (line) => appendFileSync(journal, `${line}\n`);
const update = (told) => client.notify(methods.client.session.update, { sessionId, update: told });
const say = (text) => update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

/** The server of tools that it was handed; started with the first call, as some do. */
let handed;
let connected;
const connectTools = () => {
  connected ??= (async () => {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const tools = new Client({ name: "fake", version: "1" });
    const { command, args } = handed;
    await tools.connect(new StdioClientTransport({ command, args, env: process.env }));
    return tools;
  })();
  return connected;
};
const take = ({ mcpServers }) => {
  handed = mcpServers[0];
};
let leaving = new AbortController();

/** Calls a tool that it was handed, and tells of it as Claude's adapter does. */
async function call(name, args, id, rawInput = args) {
  const told = { toolCallId: id, kind: "other", title: `mcp__countersign__${name}`, rawInput };
  await update({ sessionUpdate: "tool_call", ...told, status: "pending" });
  const tools = await connectTools();
  const how = { signal: leaving.signal, onprogress: () => undefined };
  const { content, isError } = await tools.callTool({ name, arguments: args }, undefined, how);
  const status = isError ? "failed" : "completed";
  await update({ sessionUpdate: "tool_call_update", toolCallId: id, status, rawOutput: content[0].text });
  note(`told ${JSON.stringify(content[0].text)}`);
  return !isError;
}

/** What the package would not send. */
const sayRaw = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const options = [
  { optionId: "allow-once", name: "Yes", kind: "allow_once" },
  { optionId: "always", name: "Yes, always", kind: "allow_always" },
  { optionId: "reject", name: "No", kind: "reject_once" },
];

/** @returns the id of the option that was chosen, or `cancelled`. */
async function ask(toolCall, offered = options) {
  const { outcome } = await client.request(methods.client.session.requestPermission, {
    sessionId,
    toolCall,
    options: offered,
  });
  const answer = outcome.outcome === "selected" ? outcome.optionId : "cancelled";
  note(`answered ${toolCall.toolCallId} ${answer}`);
  return answer;
}

/** Asks as Claude's adapter does: the call without its input, then with it, then the request. */
async function run(command, id, offered) {
  const call = { toolCallId: id, kind: "execute" };
  await update({ sessionUpdate: "tool_call", ...call, title: "Terminal", rawInput: {}, status: "pending" });
  const answer = await ask({ ...call, title: command, rawInput: { command } }, offered);
  const done = (status, text) =>
    update({ sessionUpdate: "tool_call_update", toolCallId: id, status, rawOutput: text });
  if (answer !== "allow-once") return done("failed", "not allowed");
  const { stdout, status } = spawnSync("/bin/sh", ["-c", command], { cwd, encoding: "utf8" });
  note(`ran ${command}`);
  return done(status === 0 ? "completed" : "failed", stdout);
}

const steps = {
  async run(command, id) {
    if (!handed) return run(command, id);
    const isDone = await call("execute", { command }, id);
    // It is killed before it has written down what it was told.
    if (process.argv.includes("deaf") && seen().filter((line) => line.startsWith("told")).length < 2)
      await new Promise(() => undefined);
    if (isDone) note(`ran ${command}`);
  },
  /** Calls the tool of this name with these arguments, all that stand in a line at once. */
  call: (words, id) =>
    Promise.all(
      words.split(" ; ").map(async (one, index) => {
        // One that repeats calls again for what it knows no end of; any other for all of it.
        const repeats = process.argv.includes("repeats");
        if (repeats && seen().includes(`ran ${one}`)) return;
        const [name, ...json] = one.split(" ");
        const isDone = await call(name, JSON.parse(json.join(" ")), `${id}-${index}`);
        if (repeats && isDone) note(`ran ${one}`);
      }),
    ),
  /** Gives a call up while it waits. */
  async give_up(command, id) {
    const waiting = call("execute", { command }, id).catch(() => note("gave up"));
    await say("asked");
    await new Promise((resolve) => process.once("SIGUSR2", resolve));
    leaving.abort();
    leaving = new AbortController();
    await waiting;
  },
  /** Tells of a call of the tool that was never made. */
  pretend: async (name, id) => {
    const told = { toolCallId: id, kind: "other", title: `mcp__countersign__${name}` };
    await update({ sessionUpdate: "tool_call", ...told, status: "pending" });
    await update({ sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" });
  },
  /** Acts itself once its turn is over, when it is told to. */
  async at_rest(command, id) {
    process.once("SIGUSR2", () => steps.unasked(command, id));
  },
  /** Acts itself, and calls a tool when it has heard that its turn was ended for that. */
  async past_and_call(command, id) {
    await connectTools();
    await steps.unasked("true", `${id}-past`);
    while (!cancelled) await new Promise(setImmediate);
    leaving = new AbortController();
    await call("execute", { command }, id);
  },
  /** Arguments so many levels deep, of which it tells nothing beside the call. */
  deep_call: (levels, id) =>
    call("execute", { command: "true", more: JSON.parse("[".repeat(levels) + "]".repeat(levels)) }, id, {}),
  /** Asks to act itself. */
  self: (command, id) => run(command, id),
  /** Two answers that allow it once, as one agent offers. */
  twice: (command, id) =>
    run(command, id, [
      ...options,
      { optionId: "mode", name: "Change the mode and allow", kind: "allow_once" },
    ]),
  /** Only an answer for ever. */
  forever: (command, id) => run(command, id, [options[1]]),
  /** As Codex asks about a file: what is asked about stands in the update before it. */
  async edit(path, id) {
    const content = [{ type: "diff", path, oldText: null, newText: "hello\n" }];
    await update({ sessionUpdate: "tool_call", toolCallId: id, kind: "edit", title: "Editing", content });
    await ask({ toolCallId: id, kind: "edit", title: "Edit files", locations: [{ path }] });
    await update({ sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" });
  },
  /** Nothing can be read of it, and no update came before. */
  blank: (title, id) => ask({ toolCallId: id, title, rawInput: {} }),
  /** All at once. */
  both: (words, id) =>
    Promise.all(words.split(" ").map((word, index) => run(`echo ${word} >> done.txt`, `${id}-${index}`))),
  /** The same id for two calls. */
  same: (words, id) => Promise.all(words.split(" ").map((word) => run(`echo ${word} >> done.txt`, id))),
  /** Words the call anew while it is asked about. */
  async change(words, id) {
    const [first, second] = words.split(" then ");
    const call = { toolCallId: id, kind: "execute", title: first };
    const asking = ask({ ...call, rawInput: { command: first } });
    await update({ sessionUpdate: "tool_call_update", toolCallId: id, rawInput: { command: second } });
    await asking;
  },
  /** Asks, does not wait for the answer, and tells that it did it. */
  async early(command, id) {
    const asking = ask({ toolCallId: id, kind: "execute", title: command, rawInput: { command } });
    await update({ sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" });
    await asking;
  },
  /** Asks, and does something else, or the same, whatever the answer is. */
  async despite(words, id) {
    const [command, other = command] = words.split(" then ");
    await ask({ toolCallId: id, kind: "execute", title: command, rawInput: { command } });
    const rawInput = { command: other };
    await update({ sessionUpdate: "tool_call_update", toolCallId: id, rawInput, status: "completed" });
  },
  /** Asks in words that no version of the protocol knows; an odd file is told before. */
  async odd(json, id) {
    const { offered, ...call } = JSON.parse(json);
    const update = {
      sessionUpdate: "tool_call",
      toolCallId: id,
      title: "odd",
      locations: [{ file: "b.txt" }],
    };
    sayRaw({ method: methods.client.session.update, params: { sessionId, update } });
    sayRaw({
      id,
      method: methods.client.session.requestPermission,
      params: { sessionId, toolCall: { toolCallId: id, ...call }, options: offered },
    });
    return new Promise(() => undefined);
  },
  /** Two requests under one id, which the package would never send. */
  one_id(words, id) {
    for (const command of words.split(" then ")) {
      const toolCall = { toolCallId: `${id} ${command}`, title: command, rawInput: { command } };
      sayRaw({
        id: "same",
        method: methods.client.session.requestPermission,
        params: { sessionId, toolCall, options },
      });
    }
    return new Promise(() => undefined);
  },
  /** Asks, and ends its turn without waiting for the answer. */
  async leave(command, id) {
    ask({ toolCallId: id, title: command, rawInput: { command } }).catch(() => undefined);
    await say("asked");
  },
  say,
  think: (text) => update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } }),
  plan: (content) =>
    update({ sessionUpdate: "plan", entries: [{ content, status: "in_progress", priority: "high" }] }),
  /** Does it and asks nobody. */
  async unasked(command, id) {
    const call = { toolCallId: id, kind: "execute", title: command, rawInput: { command } };
    await update({ sessionUpdate: "tool_call", ...call, status: "in_progress" });
    spawnSync("/bin/sh", ["-c", command], { cwd });
    await update({ sessionUpdate: "tool_call_update", toolCallId: id, status: "completed" });
  },
  /** Does it, asks nobody, and does not say how it ended. */
  async unended(command, id) {
    spawnSync("/bin/sh", ["-c", command], { cwd });
    await update({
      sessionUpdate: "tool_call",
      toolCallId: id,
      kind: "execute",
      title: command,
      status: "in_progress",
    });
  },
  flood: async (count) => {
    for (let index = 0; index < Number(count); index += 1) await say("x".repeat(1_000));
  },
  mode: (currentModeId) => update({ sessionUpdate: "current_mode_update", currentModeId }),
  /** Changes it once its turn is over, when it is told to. */
  async mode_at_rest(currentModeId) {
    process.once("SIGUSR2", () => steps.mode(currentModeId));
  },
  /** One message that is larger than any may be. */
  huge: (bytes) => say("x".repeat(Number(bytes))),
  malformed: (text) => process.stdout.write(`${text}\n[1]\n"text"\n`),
  die: () => process.exit(3),
  /** Asks the person by a form or an address: the rest of a request. */
  async elicit(json) {
    const params = { sessionId, message: "Which colour?", ...JSON.parse(json) };
    note(`elicited ${JSON.stringify(await client.request(methods.client.elicitation.create, params))}`);
  },
  /** Asks, and ends its turn without waiting for the answer. */
  async elicit_and_leave(json) {
    steps.elicit(json).catch(() => undefined);
    await say("asked");
  },
  /** Starts what has its output and outlives it. */
  leave_behind: () => void spawn("sleep", ["600"], { stdio: "inherit" }),
  /** Starts it as daemons are: two forks, a session of its own, nothing of our environment; and tells nobody. */
  daemon: (command) =>
    void spawnSync("env", [
      "-i",
      "setsid",
      "-f",
      "sh",
      "-c",
      `(exec ${command}) >/dev/null 2>&1 </dev/null &`,
    ]),
  /** Asks with arguments so many levels deep. */
  deep: (levels, id) =>
    ask({ toolCallId: id, title: "t", rawInput: JSON.parse("[".repeat(levels) + "]".repeat(levels)) }),
  stranger: async (_text, id) => {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId: "another",
      toolCall: { toolCallId: id },
      options,
    });
    note(`stranger ${outcome.outcome}`);
  },
};

/** Steps that were done before a kill are not done again; one that only waited is asked about anew. */
async function work(text) {
  if (text.includes("You were cut off.") && process.argv.includes("obeys")) return;
  const lines = text.includes("You were cut off.")
    ? JSON.parse(seen().findLast((line) => line[0] === "[") ?? "[]")
    : text.split("\n");
  note(JSON.stringify(lines));
  for (const [index, line] of lines.entries()) {
    if (cancelled) return;
    const [, name, rest] = /^(\w+) ?(.*)$/.exec(line) ?? [];
    if (name === "run" && seen().includes(`ran ${rest}`)) continue;
    const words =
      process.argv.includes("rewords") && text.includes("You were cut off.") ? `${rest} # reworded` : rest;
    await steps[name]?.(words, `call-${seen().length}-${index}`);
  }
}

/** Of a word `name=value` that it was started with. */
const wordOf = (name) => process.argv.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
const diesAt = (step) => process.argv.includes(`die-at-${step}`) && process.exit(4);
diesAt("start");
if (process.argv.includes("ignore-end")) {
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 1_000);
}

/** Whether somebody signed in to it since, where `signed-out=session` or `signed-out=prompt` says that somebody has to. */
function mustBeSignedIn(step) {
  if (wordOf("signed-out") === step && !seen().includes("signed in"))
    throw new RequestError(-32000, "Authentication required");
}
const authMethods = [
  { id: "web", name: "In the browser", description: "Opens a page" },
  { id: "key", name: "By a key", _meta: { "api-key": { provider: "fake" } } },
  { id: "term", name: "In a terminal", type: "terminal", args: ["login"] },
];
const availableModes = ["careful", "bold"].map((id) => ({ id, name: id }));
const modes = { currentModeId: "careful", availableModes };
const capabilities = process.argv.includes("forgets") ? {} : { loadSession: true };
const connection = agent({ name: "fake" })
  .onRequest(methods.agent.initialize, () => {
    diesAt("initialize");
    if (process.argv.includes("silent")) return new Promise(() => undefined);
    const agentInfo = { name: wordOf("named") ?? "fake", version: wordOf("version") ?? "1.2.3" };
    const protocolVersion = Number(wordOf("speaks") ?? PROTOCOL_VERSION);
    return { protocolVersion, agentCapabilities: capabilities, agentInfo, authMethods };
  })
  .onRequest(methods.agent.authenticate, async ({ params, requestId }) => {
    const asked = {
      mode: "url",
      requestId,
      elicitationId: "e",
      url: "https://example.com/code",
      message: "Enter 1234",
    };
    const { action } = await client.request(methods.client.elicitation.create, asked);
    if (params.methodId !== "web" || action !== "accept")
      throw new RequestError(-32603, "The page was closed");
    note("signed in");
    return {};
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    diesAt("session");
    mustBeSignedIn("session");
    cwd = params.cwd;
    take(params);
    note("new session");
    return process.argv.includes("no-session") ? {} : { sessionId, modes };
  })
  .onRequest(methods.agent.session.load, async ({ params }) => {
    // As Gemini CLI does with a session whose first turn was cut off.
    if (process.argv.includes("cannot-load")) throw new RequestError(-32603, "No such session");
    cwd = params.cwd;
    take(params);
    note("loaded session");
    // As agents do: what was said is said again, and a call that was open is told as failed.
    await say("replayed words");
    await update({
      sessionUpdate: "tool_call",
      toolCallId: "old",
      title: "replayed",
      status: "failed",
      rawInput: { command: "x" },
    });
    return { modes };
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    note(`mode ${params.modeId}`);
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params }) => {
    cancelled = false;
    mustBeSignedIn("prompt");
    const text = params.prompt.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    note(`prompted ${JSON.stringify(text)}`);
    for (const block of params.prompt) if (block.type === "resource_link") note(`attached ${block.uri}`);
    await work(text);
    return { stopReason: cancelled ? "cancelled" : "end_turn" };
  })
  .onNotification(methods.agent.session.cancel, () => {
    cancelled = true;
    leaving.abort();
    note("told to cancel");
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
client = connection.client;
if (!process.argv.includes("ignore-end")) void connection.closed.then(() => process.exit(0));
