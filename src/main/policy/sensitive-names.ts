/** The names of files that hold secrets, that steer other programs, or that run by themselves. */

import { foldName } from "../paths/fold-name.ts";
import { toExpression } from "./name-pattern.ts";
import { findSecretFile, findSecretFolder } from "./secret-names.ts";

/** Why a path's name matters: `protected` must not be written, `secret` not even read, `steering` feeds tools. */
export type SensitiveNames = { protected?: string; secret?: string; steering: boolean };

const list = (text: string): string[] => text.split(" ");

/** Folders whose every file counts, and why. */
const protectedFolders = new Map(
  (
    [
      ["Git's own data and hooks", ".git"],
      ["Mercurial's own data", ".hg"],
      ["Subversion's own data", ".svn"],
      ["Jujutsu's and Bazaar's own data", ".jj .bzr"],
      ["Git hooks", ".husky .githooks .git-hooks .lefthook .overcommit .cargo-husky"],
      [
        "CI configuration",
        ".circleci .buildkite .woodpecker .semaphore .drone .tekton .gitlab .teamcity .azure-pipelines",
      ],
      [
        "editor settings",
        ".vscode .idea .zed .vim .nvim .devcontainer .fleet .sublime .vs .emacs.d .helix .run .externaltoolbuilders nbproject .codesandbox .gitpod",
      ],
      ["policy files of this app", ".countersign"],
      [
        "settings of agents",
        ".agents .deepagents .claude .codex .gemini .cursor .windsurf .roo .kiro .continue .opencode .clinerules .cline .aider .amazonq .augment .junie .trae .goose .qwen .crush .factory .rules .openhands .ai .copilot .mcp .kilocode .tabnine .zencoder .amp",
      ],
      [
        "settings of the build that run programs",
        ".cargo .mvn .yarn .bazelisk .direnv .mise .asdf .devbox .devenv .flox .hermit .shadowenv.d .smartcd",
      ],
    ] as const
  ).flatMap(([reason, names]) => list(names).map((name) => [name, reason] as const)),
);

/** Names in which `*` stands for any run of characters, and why they count. */
const protectedNames: readonly { reason: string; name: RegExp; names: readonly string[] }[] = (
  [
    [
      "CI configuration",
      ".gitlab-ci.yml .gitlab-ci.yaml .travis.yml .travis.yaml .drone.yml .drone.yaml .drone.star jenkinsfile jenkinsfile.* azure-pipelines.yml azure-pipelines.yaml azure-pipelines-*.yml bitbucket-pipelines.yml bitbucket-pipelines.yaml appveyor.yml appveyor.yaml .appveyor.yml .cirrus.yml .cirrus.yaml .cirrus.star .woodpecker* .semaphore.yml buildspec.yml buildspec.yaml buildspec*.yml cloudbuild.yml cloudbuild.yaml cloudbuild.json cloudbuild*.yaml codemagic.yaml bitrise.yml wercker.yml .scrutinizer.yml netlify.toml vercel.json skaffold.yaml amplify.yml render.yaml fly.toml .readthedocs.yml .readthedocs.yaml codefresh.yml dependabot.yml renovate.json .renovaterc .renovaterc.json",
    ],
    [
      "Git hooks",
      ".pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml lefthook.yml lefthook.yaml lefthook.toml lefthook.json lefthook-local.* .lefthook.yml .lefthook.yaml .lefthook-local.* .lefthook.toml .lefthook.json .lefthookrc hk.pkl hk.local.pkl prek.toml .lintstagedrc* lint-staged.config.* .overcommit.yml .huskyrc* husky.config.* .simple-git-hooks.* simple-git-hooks.* captainhook.json .rusty-hook.toml",
    ],
    ["Git configuration", ".gitconfig .gitmodules .gitattributes .git .gitinclude .lfsconfig"],
    [
      "a shell or tool start-up file",
      ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .vimrc .gvimrc .ideavimrc .exrc .nvimrc .nvim.lua .lvimrc .nanorc .emacs .dir-locals.el .dir-locals-2.el .screenrc .tmux.conf .xinitrc .xprofile .xsessionrc .lesskey .lessfilter .wgetrc .curlrc .gdbinit .lldbinit .lldbinit-* .gdbearlyinit .rprofile .rprofile.site .renviron .ghci .irbrc .pryrc .perldb .psqlrc .sqliterc .mysqlrc .octaverc .juliarc.jl .iex.exs .erlang .ocamlinit .scalarc .hushlogin .pythonrc .pythonrc.py .pythonstartup.py .pdbrc .pdbrc.py .tclshrc .noderc .envrc .autoenv .autoenv.zsh .autoenv_leave.zsh .env.leave .env.zsh .onenter .onleave config.fish sitecustomize.py usercustomize.py latexmkrc .latexmkrc *.pth",
    ],
    [
      "settings of the build that run programs",
      "mise.toml mise.local.toml .mise.toml .mise.local.toml .mise.*.toml mise.*.toml .tool-versions .rtx.toml .pnpmfile.cjs .pnpmfile.mjs .pnpmfile.js .yarnrc .yarnrc.yml .npmrc bunfig.toml .bazelrc .bazelrc.* user.bazelrc .bazeliskrc .bazelversion .buckconfig .buckconfig.local .sdkmanrc .sbtopts .jvmopts .scalafix.conf .swcrc .babelrc.js .cargo.toml rust-toolchain rust-toolchain.toml cargo-config.toml pip.conf .pydistutils.cfg .rspec .irb .guardfile guardfile .rake .justfile .solargraph.yml .tmuxinator.yml .watchmanconfig gradle-wrapper.properties maven-wrapper.properties directory.build.rsp .nuget.config nuget.config .sequelizerc devbox.json devenv.nix devenv.yaml .devenv.flake.nix .asdfrc flake.nix shell.nix .envrc.* .python-version .ruby-version .node-version .nvmrc .java-version .prototools devenv.local.nix directory.build.props directory.build.targets msbuild.rsp *.csproj.user *.vcxproj.user",
    ],
    [
      "instructions of agents",
      "agents.md agent.md agents.override.md agents.local.md claude.md claude.local.md gemini.md qwen.md crush.md junie.md goose.md copilot.md .cursorrules .cursorignore .windsurfrules .clinerules .roorules .roorules-* .roomodes .goosehints .aiderrules .rules .kilocodemodes .aider.conf.yml .aider* copilot-instructions.md *.instructions.md *.prompt.md *.chatmode.md .augment-guidelines skill.md opencode.json opencode.jsonc .opencode.json mcp.json .mcp.json mcp.jsonc *.mcp.json mcp_config.json mcp-config.json mcp_settings.json cline_mcp_settings.json .codex.toml codex.toml crush.json .crush.json claude_desktop_config.json warp.md replit.md .replit devin.md",
    ],
    [
      "editor or agent settings",
      "*.code-workspace .devcontainer.json devcontainer.json .editorconfig.local *.sublime-project *.sublime-workspace .project.vim session.vim .vimrc.local .vim .nvim.rc .neoconf.json .neoconf.jsonc .projectile .projections.json .netbeans *.iml .project .gitpod.yml .stackblitzrc devfile.yaml .devfile.yaml omnisharp.json .luarc.json .luarc.jsonc rust-analyzer.toml .rust-analyzer.toml",
    ],
    [
      "a file that runs when it is opened",
      "*.command *.tool *.terminal *.inetloc *.fileloc *.webloc *.scpt *.applescript *.wflow *.psm1 *.psd1 *.ps1xml *.vbs *.vbe *.wsf *.wsh *.hta *.lnk *.url *.reg *.msi *.msix *.scr *.pif *.cpl *.scf *.library-ms",
    ],
    ["a start-up file of PowerShell", "profile.ps1 *_profile.ps1"],
    ["policy files of this app", "countersign.json countersign.jsonc countersign.*.json countersign.*.jsonc"],
  ] as const
).map(([reason, names]) => ({
  reason,
  names: list(names),
  name: new RegExp(`^(?:${list(names).map(toExpression).join("|")})$`),
}));

/** Each confined command asks about every name of its workspace, twice; nearly all of them were asked about before. */
const asked = new Map<string, string | undefined>();
const mostAsked = 10_000;

/** Why a file or folder of this name must not be written, wherever it lies; undefined for any other. Case does not matter. */
export function findProtectedName(name: string): string | undefined {
  if (asked.has(name)) return asked.get(name);
  const folded = foldName(name);
  const reason =
    protectedFolders.get(folded) ?? protectedNames.find(({ name: known }) => known.test(folded))?.reason;
  if (asked.size >= mostAsked) asked.clear();
  asked.set(name, reason);
  return reason;
}

/** Below the folders of code forges what steers them; beside it stands what people read. */
const ofForges = list("workflows actions instructions prompts chatmodes agents copilot-instructions.md");
/** What stands in these folders steers programs by a name that would be anybody's elsewhere. */
const below: ReadonlyMap<string, (name: string) => string | undefined> = new Map([
  // Many programs take there without its dot what they take beside it with one.
  [".config", (name: string) => findProtectedName(name) ?? findProtectedName(`.${name}`)],
  [
    "mise",
    (name: string) => (/^(?:config.*\.toml|conf\.d)$/.test(name) ? findProtectedName(".mise") : undefined),
  ],
  ...[".github", ".gitea", ".forgejo"].map(
    (forge) => [forge, (name: string) => (ofForges.includes(name) ? "CI configuration" : undefined)] as const,
  ),
]);

/** Each such folder, with a name in it that steers. */
const samples: ReadonlyMap<string, string> = new Map([
  [".config", "mise"],
  ["mise", "config.toml"],
  ...[".github", ".gitea", ".forgejo"].map((forge) => [forge, "workflows"] as const),
]);

/** The names that steer by the folder that they lie in, if it has such; one of them, whether it is there or not. */
export const namesThatSteer = (entriesOf: (folder: string) => readonly { name: string }[]): string[] =>
  [...samples].flatMap(([folder, sample]) =>
    [sample, ...entriesOf(folder).map(({ name }) => name)]
      .filter((name) => findProtectedBelow(folder, name) !== undefined)
      .map((name) => `${folder}/${name}`),
  );

/** Why what has this name in a folder of that name must not be written, wherever both lie. */
export const findProtectedBelow = (folder: string, name: string): string | undefined =>
  below.get(foldName(folder))?.(foldName(name));

/** Shells obey these as somebody goes into their folder. */
const obeyedOnEntry =
  /^(?:\.envrc|\.autoenv|\.env\.leave|\.on(?:enter|leave)|\.shadowenv|\.smartcd|mise\.|\.mise|\.rtx\.toml|\.tool-versions)/;

/** Whether somebody obeys a file or folder of this name wherever it lies below where they work, and not only at its top. */
export function isObeyedAnywhere(name: string, folder = ""): boolean {
  const folded = foldName(name);
  const reason = findProtectedName(folded);
  if (reason !== undefined) return / of agents$/.test(reason) || obeyedOnEntry.test(folded);
  const isOfShells = foldName(folder) === "mise" || obeyedOnEntry.test(`.${folded}`);
  return isOfShells && findProtectedBelow(folder, folded) !== undefined;
}

/** Every alternative of the tables, for the test that goes through them. */
export const protectedAlternatives: readonly { name: string; folder: boolean }[] = [
  ...protectedNames.flatMap(({ names }) => names.map((name) => ({ name, folder: false }))),
  ...[...protectedFolders.keys()].map((name) => ({ name, folder: true })),
];

/** Folders that macOS shows and starts as one thing. */
const runningBundle = /.\.(?:app|workflow|action|scptd|prefpane|saver|qlgenerator|mdimporter|kext)$/;

/** Of output that is written to a file these name what only people read. Anything else may be a program's own. */
const plainOutput = /.\.(?:log|txt|out|err|csv|tsv|json|jsonl|ndjson|xml|md|tap|lcov|info|diff)$/;
/** Of those, the ones that steer builds and tools all the same. */
const steeringNames =
  /^(?:(?:package|package-lock|npm-shrinkwrap|composer|turbo|nx|project|workspace|angular|lerna|rush|nodemon|biome|deno|vcpkg|cmakepresets|cmakeuserpresets|compile_commands|global|manifest|app|firebase|settings|launch|launchsettings|tasks|typedoc|tslint|importmap)\.json|[tj]sconfig.*\.json|.*rc\.json|.*\.config\.json|cmakelists\.txt|conanfile\.txt|(?:requirements|constraints).*\.txt|(?:pom|build|ivy|settings|phpunit|extensions)\.xml)$/;

/** A part of a path as Windows may understand it: without dots and spaces behind it, and by its short name. */
function asWindows(part: string): string {
  const trimmed = part.replace(/(?<=[^.])[. ]+$/, "").replace(/::?\$.*$/, "");
  const short = /^([a-z0-9]{1,6})~\d$/.exec(trimmed)?.[1];
  if (short === undefined) return trimmed;
  return (
    [...protectedFolders.keys()].find((name) => name.slice(1).replaceAll(".", "").startsWith(short)) ??
    trimmed
  );
}

/** Looks at every part of an absolute path. Names count without regard to case and form, as on some disks. */
export function classifyName(path: string, base: { workspace: string; home: string }): SensitiveNames {
  const parts = foldName(path)
    .split("/")
    .filter((part) => part !== "")
    .map(asWindows);
  const last = parts.at(-1) ?? "";
  const inWorkspace = path === base.workspace || path.startsWith(`${base.workspace}/`);
  const own = inWorkspace ? parts.slice(base.workspace.split("/").filter(Boolean).length) : parts;
  const folder = own.map(findSecretFolder).find(Boolean);
  const guard = own.find((part) => protectedFolders.has(part));
  const bundle = own.some((part) => runningBundle.test(part));
  // The folder itself too: what is put in its place may hold what steers.
  const nested = own
    .map((part, at) => findProtectedBelow(part, own[at + 1] ?? samples.get(part) ?? ""))
    .find(Boolean);
  const environment = /^\/proc\/[^/]+\/(?:environ|mem|maps)$/.test(path);
  const gitSecret =
    own.slice(0, -1).some((part) => part.endsWith(".git")) &&
    /^(?:config|credentials|fetch_head)(?:[~.].*)?$/.test(last);
  return {
    secret:
      folder ??
      findSecretFile(last) ??
      (environment ? "the environment of a process" : undefined) ??
      (gitSecret ? "Git configuration, which may hold tokens" : undefined),
    protected:
      (guard && protectedFolders.get(guard)) ??
      nested ??
      (bundle ? "a part of something that runs when it is opened" : undefined) ??
      protectedNames.find(({ name }) => name.test(last))?.reason,
    steering: !plainOutput.test(last) || steeringNames.test(last),
  };
}
