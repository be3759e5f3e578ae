/** Where a person's credentials lie: in the home by place or by name, and wherever the app's environment says that programs keep them. */
import { accessSync, constants, type Dirent, existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { findSecretFile } from "../policy/secret-names.ts";
import { rememberedEntries } from "./remembered-entries.ts";

/** In the home: keys, tokens, what browsers and agents know of their person, and what was typed. */
const credentials = [
  ...[".ssh", ".aws", ".azure", ".gnupg", ".kube", ".docker", ".password-store", ".oci", ".terraform.d"],
  ...["gcloud", "gh", "glab-cli", "hub", "op", "rclone", "doctl", "containers"].map(
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
  ...[".local/share/atuin", ".config/nushell/history.txt", ".local/share/powershell/PSReadLine"],
  // What acts for whoever reaches it: agents that sign, and machines that programs start.
  ...[".1password", ".colima", ".lima", ".rd", ".orbstack", ".minikube"],
  ...[".Xauthority", ".ICEauthority", ".msmtprc", ".mbsyncrc", ".fetchmailrc", ".offlineimaprc", ".davfs2"],
  ...[".pulumi", ".cloudflared", ".ngrok2", ".huggingface", ".cache/huggingface/token", ".subversion/auth"],
  ...["ngrok", "hcloud", "stripe", "heroku", "scw", "solana", ".wrangler", "netlify", "age", "rbw"].map(
    (name) => `.config/${name}`,
  ),
  ...[".wrangler", ".local/share/com.vercel.cli", ".bitcoin", ".electrum", ".ethereum"],
  ...[".librewolf", ".waterfox", ".zen", ".var/app", "snap/chromium", "snap/thunderbird"],
  ...["opera", "google-chrome-beta", "google-chrome-unstable", "Code", "VSCodium", "Cursor"].map(
    (name) => `.config/${name}`,
  ),
  ...["Bitwarden", "1Password", "keepassxc", "discord", "Element", "evolution"].map(
    (name) => `.config/${name}`,
  ),
  ...[
    ".local/share/TelegramDesktop",
    ".local/share/evolution",
    ".gnome2/keyrings",
    ".kde/share/apps/kwallet",
  ],
  ...["Code - Insiders", "Code - OSS", "Windsurf", "Claude", "JetBrains", "Postman", "Insomnia"].map(
    (name) => `.config/${name}`,
  ),
  ...["teams", "Mattermost", "Exodus", "Ledger Live", "openvpn", "weechat", "helm", "linode-cli"].map(
    (name) => `.config/${name}`,
  ),
  ...["goose", "msmtp", "aerc", "mutt", "neomutt", "firebase", "configstore", "sops", "doppler"].map(
    (name) => `.config/${name}`,
  ),
  ...[
    ".local/share/gopass",
    ".local/share/DBeaverData",
    ".local/share/jupyter/runtime",
    ".local/share/JetBrains",
  ],
  ...[".lpass", ".doppler", ".sentryclirc", ".wakatime.cfg", ".supabase", ".railway", ".expo", ".modal.toml"],
  ...[".purple", ".irssi", ".weechat", ".muttrc", ".mutt", ".near-credentials", ".foundry/keystores"],
  ...[".brownie/accounts", ".monero", ".chef", ".aws-sso", ".saml2aws", ".vultr-cli.yaml"],
  ...[
    ".jupyter",
    ".ipython/profile_default/history.sqlite",
    ".anthropic",
    ".openai",
    ".infisical",
    ".travis",
  ],
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
/** Folders whose own files are known by the names that the policy knows secrets by; of these also the folders of programs in them. */
const lookedInto = ["", ".config", ".local/share"];
/** Of these names programs do not start where they cannot read their settings, or a shell obeys them. */
const neededSettings = /^\.(?:yarnrc|hgrc|wgetrc|curlrc|envrc)/;
/** A folder with more of them is a place of keys, and hidden as one: a mount each costs the kernel more than the one before. */
const mostByName = 8;

const isSecretName = (name: string) => findSecretFile(name) !== undefined && !neededSettings.test(name);

/** Folders of programs: in the home itself only those with a dot, the others are a person's own. */
const ofPrograms = (folder: string, entry: Dirent) =>
  (entry.isDirectory() || entry.isSymbolicLink()) && (folder !== "" || entry.name.startsWith("."));

function secretsByName(home: string): string[] {
  const looked = lookedInto.flatMap((folder) => {
    const entries = rememberedEntries(join(home, folder));
    const inner = entries.filter((entry) => ofPrograms(folder, entry)).map(({ name }) => join(folder, name));
    return [folder, ...inner.filter((each) => !lookedInto.includes(each) && each !== ".local")];
  });
  return looked.flatMap((folder) => {
    const names = rememberedEntries(join(home, folder)).flatMap((entry) =>
      !entry.isDirectory() && isSecretName(entry.name) ? [join(home, folder, entry.name)] : [],
    );
    return names.length > mostByName && !lookedInto.includes(folder) ? [join(home, folder)] : names;
  });
}

/** What root alone reads, and sees in a sandbox too. */
const systemSecrets = [
  ...["shadow", "shadow-", "gshadow", "gshadow-", "sudoers"].map((name) => `/etc/${name}`),
  ...["rsa", "ecdsa", "ed25519"].map((name) => `/etc/ssh/ssh_host_${name}_key`),
  ...["ssl/private", "letsencrypt", "wireguard", "krb5.keytab", "NetworkManager/system-connections"].map(
    (name) => `/etc/${name}`,
  ),
];

/** Where services of the system are reached, other than below `/run`, that start programs for whoever asks. */
const services = ["/var/snap/lxd/common/lxd", "/var/lib/lxd", "/var/lib/incus"];

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
  const there = new Set(rememberedEntries(home).map(({ name }) => name));
  const byPlace = credentials.filter((name) => there.has(name.split("/", 1)[0] ?? name));
  const inHome = [...byPlace.map((name) => join(home, name)), ...secretsByName(home)];
  return [...inHome, ...systemSecrets.filter(isReadable), ...services];
}

/** Whether this process may read it: what root alone may, root sees in a sandbox too. */
export function isReadable(path: string): boolean {
  // Without the error that most of them would cost.
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
