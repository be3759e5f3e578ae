/** Where a part of a command says that it goes on other machines: hosts in its words, and remotes of git by their name. */
import type { ShellUnit } from "./shell-unit.ts";
import { programOf } from "./unit-name.ts";

/** Programs whose words name a machine as `user@host` or `host:path`. */
const takesHosts = new Set(["ssh", "scp", "sftp", "rsync", "mosh"]);
const gitSends = new Set(["push", "fetch", "pull", "clone", "ls-remote"]);
const address = /[a-z][a-z0-9+.-]*:\/\/[^\s'"<>]+/gi;
const hostAndPath = /^(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+|localhost):(?!\/\/)/;

/** @returns the hosts, and whether a word that nobody can read may name another one. */
export function addressesIn({ words }: ShellUnit): { hosts: string[]; unsure: boolean } {
  const hosts = words.flatMap(({ value }) => [...value.matchAll(address)].flatMap(([url]) => hostOf(url)));
  const [program, ...rest] = words;
  const name = programOf(program?.value ?? "");
  if (takesHosts.has(name))
    hosts.push(
      ...rest.flatMap(
        ({ value }) => /^[\w.-]+@([\w.-]+)$/.exec(value)?.[1] ?? hostAndPath.exec(value)?.[1] ?? [],
      ),
    );
  if (name === "git" && gitSends.has(rest[0]?.value ?? ""))
    hosts.push(...remoteOf(rest.slice(1).map(({ value }) => value)));
  return { hosts: [...new Set(hosts)], unsure: words.some(({ problem }) => problem !== undefined) };
}

function hostOf(url: string): string[] {
  if (/^file:/i.test(url) || !URL.canParse(url)) return [];
  const { hostname } = new URL(url);
  return hostname === "" ? [] : [hostname];
}

/** Where a remote leads is set in several files that may override each other, so it is told by its name. */
function remoteOf(words: readonly string[]): string[] {
  const named = words.find((word) => !word.startsWith("-"));
  if (named === undefined) return ["git remote"];
  const host = hostAndPath.exec(named)?.[1];
  if (host !== undefined) return [host];
  return named.includes("://") ? [] : [`git remote ${named}`];
}
