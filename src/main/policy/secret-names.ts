/**
 * The one table of names that hold secrets. Classifying a path, judging a shell pattern, looking at the disk and leaving
 * files out of a search all read it. Names are lower case, `*` stands for any run of characters.
 */
import { foldName } from "../paths/fold-name.ts";
import { isHidden, type NamePattern, readTablePattern, toExpression } from "./name-pattern.ts";
import { createPatternTable } from "./pattern-table.ts";

/** Names of one kind and what is told about them. */
type Kind = { holds: string; names: readonly string[] };

const list = (text: string): string[] => text.split(" ");

/** What is told of `.env` and its like. */
export const environmentSecrets = "environment secrets";

const fileKinds: readonly Kind[] = [
  {
    holds: environmentSecrets,
    names: list(
      "env.local env.prod env.production .env .env.* .env_* .env-* *.env .envrc .envrc.* .dev.vars .dev.vars.* .flaskenv .env.vault .env.keys",
    ),
  },
  {
    holds: "a key or encrypted secret",
    names: list(
      "*.pem *.key *.p12 *.pfx *.p8 *.jks *.keystore *.kdbx *.kdb *.ovpn *.ppk *.asc *.gpg *.pgp *.age *.keytab *.pkcs12 *.bks *.truststore *.agekey .vault_pass .vault-pass *.vault-password vault_pass* .vault_password *.tfstate *.tfstate.* *.tfvars *.tfvars.json *.mobileprovision *.snk *.keyring *.keychain *.keychain-db *.psafe3 master.key wallet.dat",
    ),
  },
  {
    holds: "an SSH key",
    names: list(
      "id_rsa id_rsa.* id_rsa_* id_rsa-* id_dsa id_dsa.* id_dsa_* id_dsa-* id_ecdsa id_ecdsa.* id_ecdsa_* id_ecdsa-* id_ed25519 id_ed25519.* id_ed25519_* id_ed25519-* id_xmss id_xmss.* *_rsa *_dsa *_ecdsa *_ed25519 deploy_key deploy-key ssh_host_*_key identity",
    ),
  },
  {
    holds: "stored credentials",
    names: list(
      ".npmrc .yarnrc .yarnrc.yml .pypirc .netrc _netrc .pgpass .my.cnf .mylogin.cnf .htpasswd .git-credentials .vault-token .vault-* .dockercfg .dockerconfigjson .terraformrc terraform.rc .boto .s3cfg .s3cmd .s3curl .sentryclirc .msmtprc .clasprc.json .claude.json oauth_creds.json .wakatime.cfg .ftpconfig .gist .gist-token .transifexrc pgpass.conf ngrok.yml local.settings.json key.properties sftp.json sftp-config.json datasources.local.xml filezilla.xml sitemanager.xml recentservers.xml winscp.ini wp-config.php pip.conf cookies.txt cookies.sqlite logins.json key4.db key3.db recovery-codes* backup-codes* wg0.conf wg1.conf .passwd-s3fs .pgservicefile .fly .gem_credentials .hgrc .wgetrc .curlrc .cifscredentials .smbcredentials .kaggle.json kaggle.json .databrickscfg .snowsql .rclone.conf rclone.conf auth.json .authinfo .authinfo.gpg .dbt_profiles.yml kubeconfig kubeconfig.* *.kubeconfig settings-security.xml secring.* *.rdp *.publishsettings",
    ),
  },
  {
    holds: "stored credentials",
    names: [
      "credential",
      "credentials",
      "secret",
      "secrets",
      ".secret",
      ".secrets",
      ".credential",
      ".credentials",
      "token",
      ".token",
      "password",
      "passwords",
      "passwd",
      "apikey",
      "api_key",
      "api-key",
      ".api_key",
      "api_keys",
      "api-keys",
      "apikeys",
      "creds",
      "tokens",
      "oauth_token",
    ].flatMap((name) => [
      name,
      ...list("json yaml yml toml ini txt env xml csv properties db conf cfg").map((end) => `${name}.${end}`),
    ]),
  },
  {
    holds: "stored credentials",
    names: list(
      "service-account*.json service_account*.json serviceaccount*.json client-secret*.json client_secret*.json application_default_credentials*.json firebase-adminsdk*.json *-firebase-adminsdk-*.json google-services.json secrets.*.yml secrets.*.yaml secrets.*.json *.secrets.json *.secrets.yml *.secrets.yaml *.secret *.secrets",
    ),
  },
  {
    holds: "a history of commands",
    names: list(
      ".bash_history .bash_history-* .zsh_history .sh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history .irb_history .pry_history .lesshst .viminfo .histfile .history fish_history .bashhistory .zshhistory .zhistory .dbshell .mongo_history .mongorc.js consolehost_history.txt",
    ),
  },
  { holds: "system accounts", names: list("shadow shadow- gshadow gshadow- master.passwd sudoers") },
];

const folderKinds: readonly Kind[] = [
  { holds: "SSH keys", names: [".ssh"] },
  { holds: "AWS credentials", names: [".aws"] },
  { holds: "Azure credentials", names: [".azure"] },
  { holds: "GPG keys", names: [".gnupg"] },
  { holds: "Kubernetes credentials", names: [".kube"] },
  { holds: "Docker credentials", names: [".docker"] },
  { holds: "a password store", names: [".password-store"] },
  { holds: "Google Cloud credentials", names: ["gcloud"] },
  { holds: "a keychain", names: ["keychains"] },
  { holds: "a keyring", names: ["keyrings"] },
  {
    holds: "stored credentials",
    names: list(
      ".secrets secrets .credentials credentials .env .envs .env.d .gem .m2 .oci .terraform.d .config-secrets private-keys-v1.d .sops .minikube .step .vault",
    ),
  },
];

/** Copies that editors and people make keep the secret of what they copy. */
const copies = list("~ .bak .bak* .old .orig .save .swp .swo .backup .copy .tmp .1 .2 .prev .disabled .~*");

const harmlessFiles = list(
  ".env.example .env_example .env-example .env.sample .env_sample .env-sample .env.template .env_template .env-template .env.dist .env_dist .env-dist .env.default .env_default .env-default .env.defaults .env_defaults .env-defaults example.env sample.env template.env *.pub",
);

/** One expression for each list: names are looked at by the thousand when a folder is searched. */
function toListExpression(names: readonly string[]): RegExp {
  return new RegExp(`^${anyOf(names)}$`);
}

const anyOf = (names: readonly string[]) => `(?:${names.map(toExpression).join("|")})`;

/** The same with every copy of each, said once for all names: one alternative for each copy would be a hundred times the text. */
function toCopiesExpression(names: readonly string[]): RegExp {
  const name = anyOf(names);
  return new RegExp(`^(?:${name}${anyOf(["", ...copies])}|\\.${name}\\.sw.*|#${name}#)$`);
}

/** What every name must hold that one of the patterns matches: the longest part of each that stands for itself. */
function toHintExpression(names: readonly string[]): RegExp {
  const parts = names.map((name) => name.split("*").reduce((a, b) => (b.length > a.length ? b : a)));
  const shortest = parts.filter((part) => !parts.some((other) => other !== part && part.includes(other)));
  return new RegExp([...new Set(shortest)].map(toExpression).join("|"));
}

function readTables() {
  return {
    hint: toHintExpression(fileKinds.flatMap(({ names }) => names)),
    harmless: toListExpression(harmlessFiles),
    files: fileKinds.map(({ holds, names }) => ({ holds, name: toCopiesExpression(names) })),
    folders: folderKinds.map(({ holds, names }) => ({ holds, name: toListExpression(names) })),
  };
}

/** Made with the first name: to make them is work enough for V8 to bring its compilers, and many a process asks for none. */
const tables = () => {
  made ??= readTables();
  return made;
};
let made: ReturnType<typeof readTables> | undefined;

function copiesOf(name: string): string[] {
  return [...copies.map((copy) => name + copy), `.${name}.sw*`, `#${name}#`];
}

/** What a file of this name holds, if it is a secret. Case does not matter. */
export function findSecretFile(name: string): string | undefined {
  const { hint, harmless, files } = tables();
  const lower = foldName(name);
  // Nearly every name ends here, and a search looks at thousands.
  if (!hint.test(lower) || harmless.test(lower)) return undefined;
  return files.find((kind) => kind.name.test(lower))?.holds;
}

/** What a folder of this name holds, if everything below it is a secret. Case does not matter. */
export function findSecretFolder(name: string): string | undefined {
  const lower = foldName(name);
  return tables().folders.find((kind) => kind.name.test(lower))?.holds;
}

const allNames = (): string[] => [
  ...fileKinds.flatMap(({ names }) => names.flatMap((name) => [name, ...copiesOf(name)])),
  ...folderKinds.flatMap(({ names }) => names),
  // Git's own data, which may hold tokens.
  ".git",
];
const commonWithSecrets = createPatternTable(() => allNames().map(readTablePattern));
/** Without those that any name may begin, such as `*.tfstate.*`. */
const commonWithBegun = createPatternTable(() =>
  allNames()
    .filter((name) => !name.startsWith("*"))
    .map(readTablePattern),
);

/** Endings that say nothing about a file: `*.json` is not aimed at `credentials.json`. */
const everydayText = /^\.?(?:json|ya?ml|toml|ini|txt|xml|csv|properties|conf|cfg)?$/;

/**
 * How a shell's pattern for one component relates to the names of secrets: `aimed` when it names them, `wide` when it
 * matches nearly everything, `faint` when they could only have a name in common that hardly exists (`*.ts` and
 * `id_rsa.ts`, `git-*.ts` and `git-a.tfstate.ts`), undefined when they have none.
 *
 * @param dots whether a wildcard in front matches names that begin with a dot, as in `grep --include` and unlike in bash
 */
export function compareWithSecrets(
  pattern: NamePattern,
  dots = false,
): "aimed" | "wide" | "faint" | undefined {
  const common = commonWithSecrets(pattern, dots || isHidden(pattern));
  if (common === "none") return undefined;
  const open = pattern[0]?.kind !== "char";
  const text = pattern.map((token) => (token.kind === "char" ? token.char : "")).join("");
  if (open && everydayText.test(text)) return "wide";
  const ends = pattern.at(-1)?.kind === "char";
  const isBegunOtherwise = !open && commonWithBegun(pattern, dots || isHidden(pattern)) === "none";
  return (open || isBegunOtherwise) && ends && common === "openEnded" ? "faint" : "aimed";
}

/** Every alternative of the table as it stands there, for the tests that go through it. */
export const secretAlternatives: readonly { name: string; folder: boolean }[] = [
  ...fileKinds.flatMap(({ names }) => names.map((name) => ({ name, folder: false }))),
  ...folderKinds.flatMap(({ names }) => names.map((name) => ({ name, folder: true }))),
];
