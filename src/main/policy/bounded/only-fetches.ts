/** Programs that need the network alone: with it, and no credential, socket or place outside, they do what they are for. */

const plainWord = /^[\w@%+=:,./^~-]+$/;
/** Asks or fetches an address, whatever its words. */
const whole = new Set("curl wget http https xh aria2c dig host nslookup whois npx bunx".split(" "));
/** With one of these as the first word that is no option. */
const fetching: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|install|ci|clean-install|install-test|it|cit|add|update|up|upgrade|outdated|audit|view|info|show|search|ping|dedupe|rebuild|exec|x|create|init)$/,
  pnpm: /^(?:i|install|add|update|up|upgrade|outdated|audit|fetch|dlx|create|import)$/,
  yarn: /^(?:install|add|upgrade|up|outdated|audit|dlx|create|import)$/,
  bun: /^(?:i|install|add|a|update|x|create|outdated)$/,
  pip: /^(?:install|download|index|wheel)$/,
  uv: /^(?:pip|sync|add|lock)$/,
  go: /^(?:get|mod)$/,
  composer: /^(?:install|i|update|u|require|r|search|outdated)$/,
};
/** A word, or the value in it, that is a place beside the folder. */
const placeOutside = /^(?:-\w|--?[\w-]+=|@)?(?:~|\/|\.\.(?:\/|$))/;
/** They say that it is to be put outside of the workspace. */
const elsewhere =
  /^(?:-g|--global|--location|--user|--system|--prefix|--target|-t|--root|--output-dir)(?:=|$)/;

/** @param text of one part of a command. @returns whether the network is all that it needs besides its workspace */
export function onlyFetches(text: string): boolean {
  const [name = "", ...args] = text.split(/\s+/);
  if (![name, ...args].every((word) => plainWord.test(word))) return false;
  if (whole.has(name)) return !args.some((word) => placeOutside.test(word));
  const table = Object.hasOwn(fetching, name) ? fetching[name] : undefined;
  const first = args.find((word) => !word.startsWith("-")) ?? (name === "yarn" ? "install" : "");
  return table?.test(first) === true && !args.some((word) => elsewhere.test(word));
}
