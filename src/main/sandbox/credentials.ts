/** Where a person's credentials lie: in the home, and wherever the app's environment says that programs keep them. */
import { accessSync, constants } from "node:fs";
import { isAbsolute, join } from "node:path";

/** In the home: keys, tokens, what browsers and agents know of their person, and what was typed. */
const credentials = [
  ...[".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".password-store", ".oci", ".terraform.d"],
  ...["gcloud", "gh", "glab-cli", "hub", "op", "rclone", "doctl", "containers", "sops", "configstore"].map(
    (name) => `.config/${name}`,
  ),
  ...[".local/share/keyrings", ".local/share/kwalletd", ".pki", ".step", ".vault-token", ".kaggle", ".fly"],
  ...[".npmrc", ".pypirc", ".netrc", ".git-credentials", ".config/git/credentials", ".pgpass", ".my.cnf"],
  ...[".s3cfg", ".boto", ".databrickscfg", ".authinfo", ".authinfo.gpg", ".dockercfg", ".terraformrc"],
  ...[".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml"],
  ...[".m2/settings-security.xml", ".gradle/gradle.properties", ".composer/auth.json"],
  ...[".config/composer/auth.json", ".config/pip/pip.conf", ".nuget/NuGet/NuGet.Config"],
  ...[".claude.json", ".claude/.credentials.json", ".codex/auth.json", ".gemini/oauth_creds.json"],
  ...[".local/share/opencode/auth.json", ".config/github-copilot"],
  ...[".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/microsoft-edge"],
  ...[".config/BraveSoftware", ".config/vivaldi", ".config/Signal", ".config/Slack", "snap/firefox"],
  ...["bash", "zsh", "python", "node_repl", "psql", "mysql", "sqlite"].map((name) => `.${name}_history`),
  ".local/share/fish/fish_history",
  ...["Keychains", "Cookies", "Mail", "Messages", "Safari"].map((name) => `Library/${name}`),
  ...[
    "Google/Chrome",
    "Chromium",
    "BraveSoftware",
    "Microsoft Edge",
    "Vivaldi",
    "Firefox",
    "Thunderbird",
  ].map((name) => `Library/Application Support/${name}`),
  ...["Signal", "Slack", "1Password", "Bitwarden", "gh", "com.apple.TCC"].map(
    (name) => `Library/Application Support/${name}`,
  ),
];
/** What root alone reads, and sees in a sandbox too. */
const systemSecrets = [
  ...["shadow", "shadow-", "gshadow", "gshadow-", "sudoers"].map((name) => `/etc/${name}`),
  ...["rsa", "ecdsa", "ed25519"].map((name) => `/etc/ssh/ssh_host_${name}_key`),
];

/** Programs keep there what otherwise lies in this folder of the home. */
const movedBy: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: ".config",
  XDG_DATA_HOME: ".local/share",
  CARGO_HOME: ".cargo",
  GRADLE_USER_HOME: ".gradle",
  COMPOSER_HOME: ".composer",
  CODEX_HOME: ".codex",
  CLAUDE_CONFIG_DIR: ".claude",
};
/** These name such a file or folder, or several with colons between. */
const namedBy = [
  ...["AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "KUBECONFIG", "DOCKER_CONFIG", "GNUPGHOME", "NETRC"],
  ...["NPM_CONFIG_USERCONFIG", "npm_config_userconfig", "PIP_CONFIG_FILE", "PGPASSFILE", "HISTFILE"],
  ...["GOOGLE_APPLICATION_CREDENTIALS", "CLOUDSDK_CONFIG", "AZURE_CONFIG_DIR", "GH_CONFIG_DIR"],
  ...["PASSWORD_STORE_DIR", "BOTO_CONFIG", "RCLONE_CONFIG", "ANSIBLE_VAULT_PASSWORD_FILE"],
];

/**
 * Where an environment says that credentials are kept; nothing needs to be there. It has to be the app's own: that of its
 * processes which start commands has lost these variables.
 */
export function credentialsNamedBy(env: NodeJS.ProcessEnv): string[] {
  return [...namesOfPlaces(env)].filter((path) => isAbsolute(path));
}

function* namesOfPlaces(env: NodeJS.ProcessEnv): Generator<string> {
  for (const [name, folder] of Object.entries(movedBy))
    for (const each of credentials)
      if (env[name] && each.startsWith(`${folder}/`)) yield join(env[name], each.slice(folder.length + 1));
  for (const name of namedBy) yield* (env[name] ?? "").split(":");
}

/** Where credentials are kept in a home, and those of the system that can be read. */
export function credentialsOf(home: string): string[] {
  return [...credentials.map((name) => join(home, name)), ...systemSecrets.filter(isReadable)];
}

/** Who may read these is root, or as good as that. */
function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
