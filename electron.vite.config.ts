/** How main process, preload and page are built: everything bundled, only native modules and Electron stay outside. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";

const root = import.meta.dirname;
const native = ["electron", "better-sqlite3", "node-pty", "bufferutil", "utf-8-validate"];

/** index is the Electron app; serve and run are plain Node; a worker or a shell host lies beside the chunk that starts it. */
const mainEntries = {
  index: join(root, "src/main/index.ts"),
  serve: join(root, "src/main/serve.ts"),
  run: join(root, "src/main/cli/run.ts"),
  "chunks/database-probe": join(root, "src/main/storage/database-probe.ts"),
  "chunks/judging-worker": join(root, "src/main/rules/judging-worker.ts"),
  "chunks/sessions-worker": join(root, "src/main/threads/deepagents/sessions-worker.ts"),
  "chunks/wal-keeper-worker": join(root, "src/main/storage/wal-keeper-worker.ts"),
  "chunks/page-worker": join(root, "src/main/web/page-worker.ts"),
  "chunks/shell-host-entry": join(root, "src/main/shell/shell-host-entry.ts"),
  "chunks/snapshot-worker": join(root, "src/main/files/snapshot-worker.ts"),
};

// Old chunks stay when a newer build lands: a host that runs from this folder still loads its own lazily.
const common = { emptyOutDir: false, chunkSizeWarningLimit: 4_000 };

type Emitter = { emitFile(file: { type: "asset"; fileName: string; source: Uint8Array }): string };

/** What the policy's second reader of bash is made of; it looks for these files beside its own chunk. */
const shellGrammar = {
  name: "shell-grammar",
  generateBundle(this: Emitter) {
    for (const [folder, file] of [
      ["web-tree-sitter", "web-tree-sitter.wasm"],
      ["tree-sitter-bash", "tree-sitter-bash.wasm"],
    ] as const)
      this.emitFile({
        type: "asset",
        fileName: `chunks/${file}`,
        source: readFileSync(join(root, "node_modules", folder, file)),
      });
  },
};

/** The app's icon, which Windows' tray reads from a file with a picture for each scale. */
const trayIcon = {
  name: "tray-icon",
  generateBundle(this: Emitter) {
    this.emitFile({
      type: "asset",
      fileName: "icon.ico",
      source: readFileSync(join(root, "packaging/icon.ico")),
    });
  },
};

/**
 * The agent packages bring two clients of a tracing service, which is switched off, and one of servers for sub-agents that
 * work elsewhere, which no agent here has: some 800 kB of text, and several times as much of what V8 makes of it. What
 * stands here instead of a tracing client can be made, as one of them is, and does nothing.
 */
const noOtherServices = {
  name: "no-other-services",
  load(id: string) {
    if (/[\\/]langsmith[\\/](?:dist|lib)[\\/]client\.m?js$/.test(id)) return "export class Client {}";
    if (/[\\/]langsmith[\\/]client\.mjs$/.test(id)) return "export class Langsmith {}";
    if (/[\\/]langgraph-sdk[\\/]dist[\\/]index\.js$/.test(id))
      return 'export class Client { constructor() { throw new Error("Sub-agents elsewhere are left out."); } }';
    if (!/[\\/]langsmith[\\/]dist[\\/]sandbox[\\/]index\.js$/.test(id)) return undefined;
    const names = ["SandboxClient", "LangSmithSandboxError", "LangSmithResourceNotFoundError"];
    return names.map((name) => `export class ${name} extends Error {}`).join("\n");
  },
};

/**
 * The client of OpenAI's addresses brings everything that can be asked there, and makes an object for each part. Models
 * are asked for chats and responses; of the other parts only the classes are there, and their helpers not at all.
 */
const onlyChats = {
  name: "only-chats",
  transform(code: string, id: string) {
    const part = /[\\/]openai[\\/]resources[\\/](\w+)/.exec(id)?.[1];
    if (part === undefined || ["chat", "completions", "models", "responses"].includes(part)) return undefined;
    const names = [...code.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
    return names.length > 0 ? names.map((name) => `export class ${name} {}`).join("\n") : undefined;
  },
};

/** Folders are searched by this project itself, and few have skills: what the agent package does both with is loaded when it is asked for. */
const readersWhenAsked = {
  name: "readers-when-asked",
  transform(code: string, id: string) {
    if (!/[\\/]deepagents[\\/]dist[\\/][\w-]+\.js$/.test(id)) return undefined;
    return code
      .replace(/^import (?:yaml from "yaml"|fg from "fast-glob");$/gm, "")
      .replaceAll(/\byaml(?=\.\w+\()/g, 'require("yaml")')
      .replaceAll(/\bfg(?=\()/g, 'require("fast-glob")');
  },
};

/**
 * Node reads all certificates into memory as soon as its TLS is loaded, some 3 MB. The client of `ws`, which comes with its
 * server, loads it for addresses that are never asked for; it does so when one is.
 */
const tlsWhenAsked = {
  name: "tls-when-asked",
  transform(code: string, id: string) {
    if (!/[\\/]ws[\\/]lib[\\/]websocket\.js$/.test(id)) return undefined;
    return code
      .replace(/^const (?:https|tls) = require\('\w+'\);$/gm, "")
      .replaceAll(/\b(https\.request|tls\.connect)\b/g, (call) => call.replace(/^\w+/, "require('$&')"));
  },
};

/**
 * zod writes a function for each schema of an object when it is first used, to be faster from then on, which shows in
 * nothing that is measured here. Without them the host holds some 2 MB less, and its first card is there sooner.
 */
const schemasAsTheyAre = {
  name: "schemas-as-they-are",
  transform(code: string, id: string) {
    if (!/[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/.test(id)) return undefined;
    return code.replace("__zod_globalConfig = {})", "__zod_globalConfig = { jitless: true })");
  },
};

/**
 * What is read from a checkpoint may name any class of the agent packages, all of which are loaded for it: templates,
 * searches, doubles for tests. Nothing but what stands here is ever written to one.
 */
const onlyWhatIsKept = {
  name: "only-what-is-kept",
  load(id: string) {
    if (!/[\\/]@langchain[\\/]core[\\/]dist[\\/]load[\\/]import_map\.js$/.test(id)) return undefined;
    return `import * as documents from "../documents/index.js";
      import * as messages from "../messages/index.js";
      import * as messages__tool from "../messages/tool.js";
      import * as outputs from "../outputs.js";
      import * as prompt_values from "../prompt_values.js";
      export const import_map_exports = { documents, messages, messages__tool, outputs, prompt_values };`;
  },
};

type Bundle = Record<string, { type: string; code?: string }>;

/**
 * V8 holds a program's text for as long as it runs, and with two bytes a character as soon as one of them is not in
 * Latin-1: a few quotation marks and ellipses doubled the largest chunks. Outside of strings, templates and expressions,
 * where an escape means the same, no chunk has any.
 */
const narrowText = {
  name: "narrow-text",
  generateBundle(_options: unknown, bundle: Bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk" && chunk.code !== undefined && /[^\0-\xff]/.test(chunk.code))
        chunk.code = chunk.code.replaceAll(
          /[^\0-\xff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
        );
  },
};

export default defineConfig({
  main: {
    plugins: [
      ...[shellGrammar, trayIcon, noOtherServices, onlyChats, onlyWhatIsKept],
      ...[readersWhenAsked, tlsWhenAsked, schemasAsTheyAre, narrowText],
    ],
    build: {
      ...common,
      externalizeDeps: false,
      rolldownOptions: {
        input: mainEntries,
        // What Emscripten writes evaluates nothing unless a module brings JavaScript, and the shell grammar brings none.
        onLog: (level, log, handle) => {
          if (log.code !== "EVAL" || !log.id?.includes("web-tree-sitter")) handle(level, log);
        },
        external: native,
        output: {
          format: "es",
          entryFileNames: "[name].js",
          chunkFileNames: "chunks/[name]-[hash].js",
          // A seventh of the size was documentation; licences stay.
          comments: { legal: true, annotation: false, jsdoc: false },
          // Names of functions and classes stay, so that a stack tells where it was; blanks and the other names are a third.
          minify: {
            compress: false,
            mangle: { keepNames: { function: true, class: true } },
            codegen: { removeWhitespace: true },
          },
        },
      },
    },
  },
  preload: {
    build: {
      ...common,
      externalizeDeps: false,
      isolatedEntries: true,
      rolldownOptions: {
        input: { index: join(root, "src/preload/index.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: join(root, "src/renderer"),
    plugins: [react(), tailwindcss()],
    server: { host: "127.0.0.1" },
    build: {
      ...common,
      minify: true,
      // Fonts stay files: the page may not load any from a data: address.
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: join(root, "src/renderer/index.html"),
        output: {
          codeSplitting: {
            // One chunk, so that zod is told to do without eval before any schema of the contract is built.
            groups: [
              { name: "contract", test: /node_modules[\\/]zod[\\/]|zod-without-eval|src[\\/]shared[\\/]/ },
            ],
          },
        },
      },
    },
  },
});
