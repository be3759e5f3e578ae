/** Who may import whom; see docs/architecture.md. Run by scripts/check-boundaries.mjs, which also refuses an empty cruise. */
const domains = [
  "threads",
  "agents",
  "approvals",
  "policy",
  "shell",
  "storage",
  "files",
  "web",
  "agent-files",
  "electron",
  "serve",
];

module.exports = {
  forbidden: [
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "shared-imports-zod-only",
      severity: "error",
      from: { path: "^src/shared", pathNot: "\\.test\\.ts$" },
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
        pathNot: ["^src/main/serve", "^src/main/web", "\\.test\\.ts$", "/testing/", "-server\\.ts$"],
      },
      to: { path: ["^node_modules/ws/", "^(node:)?https?$"] },
    },
    {
      name: "langchain-only-in-agents",
      severity: "error",
      from: {
        path: "^src",
        pathNot: ["^src/main/agents", "^src/main/storage/checkpointer", "\\.test\\.ts$"],
      },
      to: {
        path: ["^node_modules/@langchain/", "^node_modules/langchain/", "^node_modules/deepagents/"],
        dependencyTypesNot: ["type-only"],
      },
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
          "/policy/(look-for-secrets|look-for-names|git-index|git-keeps)\\.ts$",
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
        pathNot: ["\\.test\\.ts$", "/testing/", "/policy/resolve-path\\.ts$"],
      },
      to: { path: "^src/main/paths/follow-links\\.ts$" },
    },
    ...domains.map((domain) => ({
      name: `${domain}-knows-no-other-domain`,
      severity: "error",
      from: { path: `^src/main/${domain}/`, pathNot: ["\\.test\\.ts$", "\\.spec\\.ts$", "/testing/"] },
      to: { path: `^src/main/(${domains.filter((other) => other !== domain).join("|")})/` },
    })),
    {
      name: "only-launchers-and-host-use-the-host",
      severity: "error",
      from: {
        path: `^src/main/(${domains.filter((domain) => domain !== "electron").join("|")})/`,
        pathNot: ["\\.test\\.ts$", "/testing/"],
      },
      to: { path: "^src/main/host/" },
    },
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
