/** Who may import whom; see docs/architecture.md. Run by scripts/check-boundaries.mjs, which also refuses an empty cruise. */
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

const architecture = readFileSync(join(__dirname, "docs/architecture.md"), "utf8");
const tests = ["\\.test\\.tsx?$", "\\.spec\\.ts$", "/testing/"];

/** The rooms of one house from the top, as docs/architecture.md lists them. */
function roomsOf(house) {
  const rooms = new RegExp(`^\`${house}\`, from the top:\\n\\n\\| Room .*\\n.*\\n((?:\\|.*\\n)+)`, "m").exec(
    architecture,
  )?.[1];
  if (rooms === undefined) throw new Error(`docs/architecture.md does not list the rooms of ${house}.`);
  return [...rooms.matchAll(/^\| `([^`]+)`/gm)].map(([, room]) => room);
}

/** What stands below imports nothing that stands above it; what is no room stands above all of them. */
function keepOrder(house) {
  const rooms = roomsOf(house);
  const inRooms = `^${house}/(?!(?:${rooms.join("|")})/)`;
  return rooms.map((room, at) => ({
    name: `${house.split("/").at(-1)}-${room.replace("/", "-")}-imports-what-stands-below`,
    severity: "error",
    from: { path: `^${house}/${room}/`, pathNot: tests },
    to: { path: [inRooms, ...rooms.slice(0, at).map((above) => `^${house}/${above}/`)], pathNot: "\\.css$" },
  }));
}

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "shared-imports-zod-only",
      severity: "error",
      from: { path: "^src/shared", pathNot: ["\\.test\\.ts$", "^src/shared/testing/"] },
      to: { pathNot: ["^src/shared", "^node_modules/zod/"] },
    },
    {
      name: "renderer-knows-no-main",
      severity: "error",
      from: { path: "^src/renderer" },
      to: { path: ["^src/main", "^src/preload", "^node_modules/electron/"] },
    },
    {
      name: "renderer-has-no-node",
      severity: "error",
      from: { path: "^src/renderer", pathNot: "\\.test\\.tsx?$" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "electron-only-in-its-shell",
      severity: "error",
      from: { pathNot: ["^src/main/electron", "^src/main/index\\.ts$", "^src/preload", "^e2e"] },
      to: { path: "^node_modules/electron/" },
    },
    {
      name: "sockets-only-behind-the-door",
      severity: "error",
      from: {
        path: "^src",
        pathNot: [
          "^src/main/serve",
          "^src/main/web",
          "^src/main/console/hook-door\\.ts$",
          "^src/main/agents/acp/tool-door\\.ts$",
          "^src/main/base/read-body\\.ts$",
          "\\.test\\.ts$",
          "/testing/",
        ],
      },
      to: { path: ["^node_modules/ws/", "^(node:)?https?$"] },
    },
    {
      name: "acp-only-in-its-room",
      comment: "the Agent Client Protocol is spoken in one place",
      severity: "error",
      from: { path: "^src", pathNot: ["^src/main/agents/acp/"] },
      to: { path: ["^node_modules/@agentclientprotocol/"] },
    },
    {
      name: "acp-is-loaded-when-it-is-needed",
      comment: "its package would take a tenth of each start",
      severity: "error",
      from: { path: "^src/main", pathNot: tests },
      to: {
        path: "^src/main/agents/acp/connection\\.ts$",
        dependencyTypesNot: ["type-only"],
        dynamic: false,
      },
    },
    {
      name: "terminals-without-crypto",
      comment: "it would be a sixth of what the terminals' process holds",
      severity: "error",
      from: { path: "^src/main/shell/shell-host-entry\\.ts$" },
      to: { path: "^(node:)?crypto$", reachable: true },
    },
    {
      name: "langchain-only-in-agents",
      severity: "error",
      from: {
        path: "^src",
        pathNot: ["^src/main/agents", "^src/main/models", "^src/main/storage/checkpointer", ...tests],
      },
      to: { path: ["^node_modules/@langchain/", "^node_modules/langchain/", "^node_modules/deepagents/"] },
    },
    {
      name: "sources-are-known-by-their-port",
      severity: "error",
      from: { path: "^src/main", pathNot: ["^src/main/agents", "^src/main/host", ...tests] },
      to: { path: "^src/main/agents/deep-agent/" },
    },
    {
      name: "pty-only-in-shell",
      severity: "error",
      from: { path: "^src", pathNot: "^src/main/shell" },
      to: { path: "^node_modules/node-pty/" },
    },
    {
      name: "policy-is-pure",
      severity: "error",
      from: {
        path: "^src/main/policy",
        pathNot: [
          "\\.test\\.ts$",
          "/testing/",
          "/policy/(look-for-secrets|look-for-names|look-for-kind|git-index|git-keeps|git-history|git-objects|git-programs|git-own-folder)\\.ts$",
          "tree-sitter-reader\\.ts$",
        ],
      },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?path(/posix)?$" },
    },
    {
      name: "policy-follows-links-in-one-place",
      severity: "error",
      from: {
        path: "^src/main/policy",
        pathNot: ["\\.test\\.ts$", "/testing/", "/policy/disk\\.ts$"],
      },
      to: { path: "^src/main/paths/follow-links\\.ts$" },
    },
    ...keepOrder("src/main"),
    ...keepOrder("src/renderer"),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
