/** The names of files that hold secrets, that steer other programs, or that run by themselves. */

/** Why a path's name matters: `protected` must not be written, `secret` not even read, `steering` feeds tools. */
export type SensitiveNames = { protected?: string; secret?: string; steering: boolean };

const secretFolders: Record<string, string> = {
  ".ssh": "SSH keys",
  ".aws": "AWS credentials",
  ".azure": "Azure credentials",
  ".gnupg": "GPG keys",
  ".kube": "Kubernetes credentials",
  ".docker": "Docker credentials",
  ".password-store": "a password store",
  gcloud: "Google Cloud credentials",
  keychains: "a keychain",
  keyrings: "a keyring",
};

const secretNames: readonly [RegExp, string][] = [
  [/^\.envrc$|^\.env(?:[._-].*)?$|^.+\.env$/, "environment secrets"],
  [
    /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ovpn|ppk|asc|gpg|tfstate|tfvars)$/,
    "a key or encrypted secret",
  ],
  [/^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:[._-].*)?$|_(?:rsa|dsa|ecdsa|ed25519)$/, "an SSH key"],
  [
    /^(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.vault-token|\.dockercfg|\.terraformrc|\.boto|\.s3cfg)$/,
    "stored credentials",
  ],
  [
    /^(?:credentials?|secrets?|\.secrets?|\.credentials?|\.?token|passwords?)(?:\.(?:json|ya?ml|toml|ini|txt|env|xml|csv|properties|db))?$/,
    "stored credentials",
  ],
  [
    /^(?:service[-_]?account|client[-_]secret|application_default_credentials).*\.json$/,
    "stored credentials",
  ],
  [/^\.(?:bash|zsh|sh|python|node_repl|psql|mysql|sqlite|rediscli)_?history$/, "a history of commands"],
  [/^(?:shadow|gshadow|master\.passwd|sudoers)$/, "system accounts"],
];

const secretParents: readonly [RegExp, string][] = [
  [/^\.?(?:secrets|credentials)$|^\.env$/, "stored credentials"],
];

const publicTemplates =
  /^\.env[._-](?:example|sample|template|dist|defaults?)$|^(?:example|sample|template)\.env$/;

const protectedFolders: Record<string, string> = {
  ".git": "Git's own data and hooks",
  ".hg": "Mercurial's own data",
  ".svn": "Subversion's own data",
  ".husky": "Git hooks",
  ".githooks": "Git hooks",
  ".circleci": "CI configuration",
  ".buildkite": "CI configuration",
  ".vscode": "editor settings",
  ".idea": "editor settings",
  ".zed": "editor settings",
  ".cursor": "editor settings",
  ".vim": "editor settings",
  ".devcontainer": "editor settings",
  ".countersign": "policy files of this app",
  ".claude": "settings of agents",
  ".codex": "settings of agents",
  ".gemini": "settings of agents",
};

const protectedNames: readonly [RegExp, string][] = [
  [
    /^(?:\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.drone\.ya?ml|jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|appveyor\.ya?ml|\.cirrus\.ya?ml)$/,
    "CI configuration",
  ],
  [/^(?:\.pre-commit-config\.yaml|lefthook\.ya?ml|\.lefthook\.ya?ml|\.lintstagedrc.*)$/, "Git hooks"],
  [/^(?:\.gitconfig|\.gitmodules|\.gitattributes)$/, "Git configuration"],
  [
    /^\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|inputrc|vimrc|exrc|nanorc|emacs|screenrc|tmux\.conf|xinitrc|xprofile|lesskey|lessfilter|wgetrc|curlrc|gdbinit)$/,
    "a shell or tool start-up file",
  ],
  [
    /^(?:config\.fish|\.mcp\.json|\.exrc|\.nvmrc\.sh|\.editorconfig\.local|[^/]+\.code-workspace)$/,
    "editor or agent settings",
  ],
  [/^countersign(?:\.[a-z-]+)?\.jsonc?$/, "policy files of this app"],
];

const steeringNames =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-.*\.yaml|yarn\.lock|(?:gnu)?makefile|.*\.mk|rakefile|gemfile|justfile|taskfile\.ya?ml|dockerfile.*|containerfile|(?:docker-)?compose.*\.ya?ml|cmakelists\.txt|meson\.build|build\.bazel|pom\.xml|.*\.(?:gradle|sbt|csproj|props|targets|sln)|cargo\.toml|go\.mod|setup\.cfg|pyproject\.toml|tox\.ini|pytest\.ini|requirements.*\.txt|composer\.json|tsconfig.*\.json|turbo\.json|nx\.json|project\.json|deno\.jsonc?|procfile|vagrantfile|.*rc)$/;
const codeExtension =
  /\.(?:[cm]?[jt]sx?|vue|svelte|py[iw]?|rb|pl|pm|php|lua|sh|bash|zsh|fish|ps1|bat|cmd|c|h|cc|cpp|hpp|m|mm|rs|go|java|kt|kts|scala|swift|cs|fs|ex|exs|erl|clj|hs|ml|r|jl|el|vim|so|dylib|dll|exe|node|wasm|jar|class|pyc|html?|service|desktop)$/;

function find(table: readonly [RegExp, string][], name: string): string | undefined {
  return table.find(([pattern]) => pattern.test(name))?.[1];
}

/** The reason why one file name counts as a secret, if it does. Case does not matter. */
function findSecretName(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (publicTemplates.test(lower) || lower.endsWith(".pub")) return undefined;
  return find(secretNames, lower);
}

/** Looks at every part of an absolute path. Names count without regard to case, as some disks do. */
export function classifyName(path: string, base: { workspace: string; home: string }): SensitiveNames {
  const parts = path
    .toLowerCase()
    .split("/")
    .filter((part) => part !== "");
  const last = parts.at(-1) ?? "";
  const inWorkspace = path === base.workspace || path.startsWith(`${base.workspace}/`);
  const own = inWorkspace ? parts.slice(base.workspace.split("/").filter(Boolean).length) : parts;
  const folder = own.find((part) => Object.hasOwn(secretFolders, part));
  const guard = own.find((part) => Object.hasOwn(protectedFolders, part));
  const ci = /\/\.(?:github|gitea|forgejo)\/(?:workflows|actions)(?:\/|$)/.test(`/${own.join("/")}`);
  const environment = /^\/proc\/[^/]+\/(?:environ|mem|maps)$/.test(path);
  const gitSecret = guard === ".git" && /^(?:config|credentials)$/.test(last);
  const named = findSecretName(last) ?? own.map((part) => find(secretParents, part)).find(Boolean);
  return {
    secret:
      (folder && secretFolders[folder]) ??
      named ??
      (environment ? "the environment of a process" : undefined) ??
      (gitSecret ? "Git configuration, which may hold tokens" : undefined),
    protected:
      (guard && protectedFolders[guard]) ??
      (ci ? "CI configuration" : undefined) ??
      find(protectedNames, last),
    steering: steeringNames.test(last) || codeExtension.test(last),
  };
}
