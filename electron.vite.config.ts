/** How main process, preload and page are built: everything bundled, only native modules and Electron stay outside. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import { packageParts } from "./scripts/build/package-parts.mjs";

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
    plugins: [shellGrammar, trayIcon, packageParts(), narrowText],
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
