/**
 * What of other packages is bundled in another form than they have, since the host would hold more or take longer with it. What is
 * left out does nothing here. A part that is not found any more, or not as it was, fails the build.
 */

/** A file by what its path ends with. */
const path = (pattern) => new RegExp(`[\\\\/]${pattern.replaceAll("/", "[\\\\/]")}$`);

/**
 * The agent packages bring two clients of a tracing service, which is switched off, and one of servers for sub-agents that
 * work elsewhere, which no agent here has: some 800 kB of text, and several times as much of what V8 makes of it. What
 * stands here instead of a tracing client can be made, as one of them is, and does nothing.
 */
const noOtherServices = [
  { file: path("langsmith/dist/client\\.js"), change: () => "export class Client {}" },
  { file: path("langsmith/client\\.mjs"), change: () => "export class Langsmith {}" },
  {
    file: path("langgraph-sdk/dist/index\\.js"),
    change: () =>
      'export class Client { constructor() { throw new Error("Sub-agents elsewhere are left out."); } }',
  },
  {
    file: path("langsmith/dist/sandbox/index\\.js"),
    change: () =>
      ["SandboxClient", "LangSmithSandboxError", "LangSmithResourceNotFoundError"]
        .map((name) => `export class ${name} extends Error {}`)
        .join("\n"),
  },
];

const askedParts = ["chat", "completions", "models", "responses"];

/**
 * The client of OpenAI's addresses brings everything that can be asked there, and makes an object for each part. Models
 * are asked for chats and responses; of the other parts only the classes are there, and their helpers not at all.
 */
const onlyChats = {
  file: /[\\/]openai[\\/]resources[\\/](\w+)/,
  change(code, [, part = ""]) {
    const names = [...code.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
    if (askedParts.includes(part) || names.length === 0) return code;
    return names.map((name) => `export class ${name} {}`).join("\n");
  },
  some: true,
};

/** Folders are searched by this project itself, and few have skills: what the agent package does both with is loaded when it is asked for. */
const readersWhenAsked = [
  ["yaml", "yaml", "\\.\\w+\\("],
  ["fg", "fast-glob", "\\("],
].map(([name, from, used]) => ({
  file: path("deepagents/dist/[\\w-]+\\.js"),
  change: (code) =>
    code
      .replace(`import ${name} from "${from}";`, "")
      .replaceAll(new RegExp(`\\b${name}(?=${used})`, "g"), `require("${from}")`),
  some: true,
}));

/**
 * Node reads all certificates into memory as soon as its TLS is loaded, some 3 MB. The client of `ws`, which comes with its
 * server, loads it for addresses that are never asked for; it does so when one is.
 */
const tlsWhenAsked = {
  file: path("ws/lib/websocket\\.js"),
  change: (code) =>
    code
      .replace(/^const (?:https|tls) = require\('\w+'\);$/gm, "")
      .replaceAll(/\b(https\.request|tls\.connect)\b/g, (call) => call.replace(/^\w+/, "require('$&')")),
};

/**
 * What LangChain knows of a run goes from call to call in a node of a trace, which it makes for that also where nothing is
 * traced: with an id, a time and thirty properties, a dozen times in each step. What it is read for is all that this one has.
 */
const noTraceUnasked = {
  file: path("@langchain/core/dist/singletons/async_local_storage/index\\.js"),
  change: (code) =>
    code.replace(
      /new RunTree\(\{\s*name: "<runnable_lambda>",\s*tracingEnabled: false\s*\}\)/,
      "Object.assign(Object.create(RunTree.prototype), { tracingEnabled: false })",
    ),
};

/**
 * zod writes a function for each schema of an object when it is first used, to be faster from then on, which shows in
 * nothing that is measured here. Without them the host holds some 2 MB less, and its first card is there sooner.
 */
const schemasAsTheyAre = {
  file: path("zod/v4/core/core\\.js"),
  change: (code) => code.replace("__zod_globalConfig = {})", "__zod_globalConfig = { jitless: true })"),
};

/**
 * What is read from a checkpoint may name any class of the agent packages, all of which are loaded for it: templates,
 * searches, doubles for tests. Nothing but what stands here is ever written to one.
 */
const onlyWhatIsKept = {
  file: path("@langchain/core/dist/load/import_map\\.js"),
  change: () => `import * as documents from "../documents/index.js";
    import * as messages from "../messages/index.js";
    import * as messages__tool from "../messages/tool.js";
    import * as outputs from "../outputs.js";
    import * as prompt_values from "../prompt_values.js";
    export const import_map_exports = { documents, messages, messages__tool, outputs, prompt_values };`,
};

const parts = [
  ...noOtherServices,
  ...readersWhenAsked,
  ...[onlyChats, tlsWhenAsked, noTraceUnasked, schemasAsTheyAre, onlyWhatIsKept],
];

/**
 * A plugin for the build.
 * @param of the parts that are changed, others only in tests. `file`: what the paths of its files end with. `change`: what
 * becomes of such a file's text, from that and from what was found of its path. `some`: of several files some are as they are to be.
 */
export function packageParts(of = parts) {
  const changed = new Set();
  return {
    name: "package-parts",
    transform(code, id) {
      let now = code;
      for (const part of of) {
        const found = part.file.exec(id);
        if (found === null) continue;
        const before = now;
        now = part.change(before, found);
        if (now !== before) changed.add(part);
        else if (!part.some)
          throw new Error(`${id} is not as it was: ${part.file} is to be looked at again.`);
      }
      return now === code ? undefined : now;
    },
    buildEnd(error) {
      const lost = of.filter((part) => !changed.has(part)).map(({ file }) => file);
      if (error === undefined && lost.length > 0)
        throw new Error(`Nothing is bundled any more of ${lost.join(" and ")}.`);
    },
  };
}
