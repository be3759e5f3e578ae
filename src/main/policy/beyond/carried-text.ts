/** Finds words that carry text to another machine in what they name: addresses of any program, packages and modules. */
import { isOpaque, readAddress } from "./web-address.ts";

const inWord = /(?:^|[=,])(?:git\+)?(https?|ssh|git):\/\/(\S+)$/i;
/** As ssh and git write it: `git@host:path`, `host:path`. */
const shortForm = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/*(\S*)$/;
const loopback = /^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?:[:/?#]|$)/i;

function describeAddress(address: string): string | undefined {
  if (loopback.test(address)) return undefined;
  const reading = readAddress(address);
  return "carries" in reading ? reading.carries : undefined;
}

/** Why an address in one word of any program carries text, whether a scheme of the web or of git is in front. */
export function describeCarriedAddress(word: string): string | undefined {
  const [, scheme, rest] = inWord.exec(word) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  if (/^https?$/i.test(scheme)) return describeAddress(`${scheme}://${rest}`);
  return describeAddress(`https://${rest.replace(/^[\w.-]+@/, "")}`);
}

/** The same of a word that names a repository, where an address needs no scheme. */
export function describeCarriedRepository(word: string): string | undefined {
  const [, host, path] = shortForm.exec(word) ?? [];
  return host === undefined ? describeCarriedAddress(word) : describeAddress(`https://${host}/${path}`);
}

const packagers = new Set(
  "npm pnpm yarn bun npx pnpx bunx pip pip3 pipx uv uvx poetry pdm cargo go gem bundle composer dotnet nuget conda mamba brew".split(
    " ",
  ),
);
const asksRegistry =
  /^(?:install|i|in|ins|add|view|v|info|show|download|get|pack|exec|x|dlx|create|init|fetch|require|pull|list|mod|tool|update|upgrade|search|pip|run)$/;
/** With these `run` starts a script of the folder, and asks nobody for it. */
const scriptRunners = new Set(["npm", "pnpm", "yarn", "bun"]);
const longestName = 64;

/** The name that a registry is asked for, without the version behind it. */
function nameOf(word: string): string {
  const at = word.indexOf("@", 1);
  return at < 0 ? word : word.slice(0, at);
}

/** Why a name that a registry or the host in it is asked for could as well be data, or undefined. */
export function describeCarriedPackage(program: string, args: readonly string[]): string | undefined {
  if (!packagers.has(program)) return undefined;
  const operands = args.filter((arg) => !arg.startsWith("-"));
  if (operands[0] === "run" && scriptRunners.has(program)) return undefined;
  const names = /x$/.test(program) ? operands : asksRegistry.test(operands[0] ?? "") ? operands.slice(1) : [];
  for (const name of names.map(nameOf)) {
    if (/^[./~]|\.(?:txt|toml|json|tgz|whl)$/.test(name)) continue;
    if (isOpaque(name) || name.length > longestName)
      return "The name that it asks for is long enough to carry something.";
    const host = program === "go" && /^[\w-]+(?:\.[\w-]+)+(?:\/|$)/.test(name);
    const carried = host ? describeAddress(`https://${name.replace(/\/\.{3}$/, "")}`) : undefined;
    if (carried !== undefined) return carried;
  }
  return undefined;
}
