/** Answers what an unquoted file pattern could match, without looking at the disk. */
import { classifyName } from "./sensitive-names.ts";

const secretSamples = [
  ".env .env.local .env.production .envrc prod.env id_rsa id_ed25519 deploy_rsa server.pem server.key key.pem cert.p12",
  "store.jks vault.kdbx .npmrc .netrc .pypirc .pgpass .git-credentials .htpasswd credentials credentials.json",
  "secret secrets secrets.json secrets.yml secrets.yaml secrets.toml token token.txt password.txt passwords.txt",
  "service-account.json client_secret.json terraform.tfstate prod.tfvars .bash_history .aws .ssh .gnupg .kube .docker",
].flatMap((line) => line.split(" "));

/** Splits one pattern component into characters and wildcards; a bracket stands for any one character. */
function readTokens(component: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < component.length; at += 1) {
    const char = component[at]!;
    if (char === "\\" && at + 1 < component.length) {
      at += 1;
      tokens.push(`=${component[at]!.toLowerCase()}`);
    } else if (char === "*") {
      if (tokens.at(-1) !== "*") tokens.push("*");
    } else if (char === "?") tokens.push("?");
    else if (char === "[") {
      const close = component.indexOf("]", at + 2);
      if (close > 0) at = close;
      tokens.push("?");
    } else tokens.push(`=${char.toLowerCase()}`);
  }
  return tokens;
}

/** Whether a name can match the pattern, in time proportional to both lengths. */
function canMatch(tokens: readonly string[], name: string): boolean {
  let states = new Set([0]);
  const skipStars = (set: Set<number>): Set<number> => {
    for (const at of set) if (tokens[at] === "*") set.add(at + 1);
    return set;
  };
  for (const char of name) {
    const next = new Set<number>();
    for (const at of skipStars(states)) {
      if (tokens[at] === "*") next.add(at);
      else if (tokens[at] === "?" || tokens[at] === `=${char}`) next.add(at + 1);
    }
    states = next;
  }
  return skipStars(states).has(tokens.length);
}

/** Whether a pattern (quoted characters escaped with a backslash) could match a file that holds secrets. */
export function couldMatchSecret(pattern: string): boolean {
  return pattern.split("/").some((component) => {
    if (!/[*?[]/.test(component))
      return classifyName(`/${component}`, { workspace: "/", home: "/" }).secret !== undefined;
    const tokens = readTokens(component);
    return secretSamples.some((name) => canMatch(tokens, name));
  });
}

/** The part of a path before its first component with a wildcard, and whether it climbs after that. */
export function splitPattern(value: string): { base: string; climbs: boolean } {
  const parts = value.split("/");
  const first = parts.findIndex((part) => /[*?[]/.test(part));
  const base = parts.slice(0, first < 0 ? undefined : first).join("/");
  const climbs =
    first >= 0 && parts.slice(first + 1).some((part) => part === ".." || /^\.[*?[]|^\*?\.\.?$/.test(part));
  return { base: base === "" ? (value.startsWith("/") ? "/" : ".") : base, climbs };
}
