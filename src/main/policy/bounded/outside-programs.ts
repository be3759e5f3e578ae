/** Programs whose words say that they need what a sandbox has not: the network, a service, others' rights, other programs. */
import type { ShellWord } from "../shell-word.ts";

const setOf = (names: string) => new Set(names.split(" "));

/** Whatever their words. */
const onTheNetwork = setOf(
  "curl wget gh hub glab ping ping6 dig host nslookup whois traceroute http https xh aria2c apt apt-get brew pipx uvx nix nix-shell nix-env guix vagrant op doppler bw vault mail sendmail mutt open xdg-open gio wslview simctl devicectl psql mysql mariadb mongosh mongo redis-cli createdb dropdb at batch crontab systemd-run tmux screen dbus-run-session notify-send terminal-notifier",
);
/** With others' rights, on other programs or on the machine. Some can be confined and then fail. */
const onTheMachine = setOf(
  "sudo doas su pkexec kill pkill killall systemctl service mount umount gpg ssh-add chown",
);

/** The first word that is no option, and with it alone. */
const subcommands: Record<string, RegExp> = {
  git: /^(?:fetch|pull|push|clone|ls-remote|submodule|remote|lfs|svn)$/,
  npm: /^(?:i|in|ins|inst|insta|instal|install|isnt|ci|clean-install|install-test|it|cit|add|update|up|upgrade|outdated|audit|view|info|show|search|ping|rebuild|dedupe|exec|x|create|init|publish)$/,
  pnpm: /^(?:i|install|add|update|up|upgrade|outdated|audit|fetch|dlx|create|import|publish)$/,
  yarn: /^(?:install|add|upgrade|up|outdated|audit|dlx|create|import|npm|set)$/,
  bun: /^(?:i|install|add|a|update|x|create|outdated)$/,
  pip: /^(?:install|download|index|search|wheel)$/,
  uv: /^(?:pip|sync|add|lock|tool|python|run)$/,
  poetry: /^(?:install|add|update|lock|search|publish)$/,
  pipenv: /^(?:install|update|lock|sync|upgrade)$/,
  conda: /^(?:install|create|update|search|env)$/,
  cargo: /^(?:install|add|update|fetch|search|publish|vendor)$/,
  go: /^(?:get|install|mod|work)$/,
  bundle: /^(?:install|update|add|outdated|lock)$/,
  gem: /^(?:install|update|fetch|search|push|outdated)$/,
  composer: /^(?:install|i|update|u|require|r|create-project|search|outdated)$/,
  dotnet: /^(?:restore|add|tool|nuget|workload)$/,
  mvn: /^(?:dependency|deploy)/,
  deno: /^(?:install|add|cache|upgrade|publish)$/,
  corepack: /./,
};
/** Without a word of its own `yarn` installs. */
const installsAlone = new Set(["yarn"]);
const versioned = /^(pip|python)[\d.]+$/;

/** Whether a program needs to reach beyond what a sandbox has. What is not in the tables may still turn out to. */
export function needsNetwork(name: string, args: readonly ShellWord[]): boolean {
  if (onTheNetwork.has(name)) return true;
  const table = subcommands[versioned.exec(name)?.[1] ?? name];
  if (table === undefined) return isModuleOf(name, args);
  const words = args.map(({ value }) => value).filter((value) => !value.startsWith("-"));
  return words.length === 0 ? installsAlone.has(name) : table.test(words[0]!);
}

/** @param text of one part of a command. @returns whether it acts on what stands outside, or writes a repository's settings. */
export function actsOutside(text: string): boolean {
  const [name = "", ...args] = text.split(/\s+/);
  const first = args.find((word) => !word.startsWith("-")) ?? "";
  return onTheMachine.has(name) || (name === "git" && /^(?:config|init)$/.test(first));
}

/** `python -m pip install` */
function isModuleOf(name: string, args: readonly ShellWord[]): boolean {
  const [flag, module, ...rest] = args;
  return (
    /^python[\d.]*$/.test(name) &&
    flag?.value === "-m" &&
    module?.value === "pip" &&
    needsNetwork("pip", rest)
  );
}
