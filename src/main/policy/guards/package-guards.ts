/** Package managers and builders that take packages, with the flags and words of theirs that always ask. */
import { opaque } from "../bounded/opaque-reasons.ts";
import type { ShellWord } from "../shell-word.ts";
import { askOn, firstOperand, guard, type ProgramGuard, values } from "./guard.ts";

/** Behind these, or behind an option, another word says what is done. */
const goesOn = /^(?:workspaces?|ws?|-.*)$/;

/** As `askOn`, also where the subcommand does not come first: `yarn workspace app exec`, `pnpm --filter app exec`. */
function askOnAny(pattern: RegExp, reason: string): (args: readonly ShellWord[]) => string | undefined {
  return (args) => {
    const operands = values(args).filter((value) => !value.startsWith("-"));
    const looked = goesOn.test(values(args)[0] ?? "") ? operands : operands.slice(0, 1);
    return looked.some((value) => pattern.test(value)) ? reason : undefined;
  };
}

const settingsAndAccounts = askOnAny(
  /^(?:config|c|set|get|exec|x|dlx|explore|edit|token|login|logout|adduser|owner|access|unpublish|deprecate|hook|profile|team|org|root|create|init|link|ln|node|env|setup|self-update|policies|plugin|server|repl|completion)$/,
  "The subcommand runs other programs or changes settings and accounts.",
);

/** Settings whose value is no key, no password and no address of a proxy. Npm writes a log whenever it runs, so it is not `safe`. */
const plainSettings =
  /^(?:registry|cache|prefix|loglevel|engine-strict|save-exact|save-prefix|package-lock|package-manager|lockfile-version|legacy-peer-deps|strict-peer-deps|install-strategy|strict-ssl|fund|audit|audit-level|workspaces|ignore-scripts|node-version|user-agent|init-license|init-version|node-linker|store-dir|shamefully-hoist|auto-install-peers|link-workspace-packages)$/;

/** Whether the words only ask for one such setting. */
function asksForSetting(args: readonly ShellWord[]): boolean {
  const words = values(args);
  const [key, ...more] = words[0] === "get" ? words.slice(1) : words.slice(2);
  const gets = words[0] === "get" || (/^(?:config|c)$/.test(words[0] ?? "") && words[1] === "get");
  return gets && more.length === 0 && key !== undefined && plainSettings.test(key);
}

const packageFlags =
  "script-shell shell node-options prefix userconfig globalconfig git editor viewer browser onload-script call package dir cwd global registry cafile cache location init-module node-arg config use-node-version script";
const nodePackages = guard(opaque.otherSettings, packageFlags, "cgCp", "w", (args) =>
  asksForSetting(args) ? undefined : settingsAndAccounts(args),
);

/** By the names of the programs. */
export const packageGuards: Record<string, ProgramGuard> = {
  npm: nodePackages,
  pnpm: nodePackages,
  yarn: nodePackages,
  npx: guard(opaque.otherSettings, packageFlags, "cp"),
  corepack: guard(opaque.otherSettings, "", "", "", () => "It downloads and runs package managers."),
  cargo: guard(
    opaque.otherSettings,
    "config manifest-path target-dir out-dir unstable-flags",
    "ZC",
    "",
    askOn(/^(?:install|login|logout|owner|publish|yank|\+)/, "It installs programs or acts on an account."),
  ),
  go: guard(
    opaque.otherSettings,
    "exec toolexec vettool overlay modfile ldflags gcflags asmflags",
    "eC",
    "",
    (args) =>
      values(args).some((value) =>
        /^--?(?:exec|toolexec|vettool|overlay|modfile|ldflags|gcflags|asmflags|C)(?:=|$)/.test(value),
      ) || /^(?:generate|env|install|tool|telemetry)$/.test(firstOperand(args))
        ? opaque.otherSettings
        : undefined,
  ),
  pip: guard(
    "It takes packages from elsewhere.",
    "index-url extra-index-url find-links trusted-host target prefix root config-settings editable python",
    "iftCe",
    "",
    askOn(/^config$/, "It changes settings."),
  ),
  gradle: guard(
    opaque.otherSettings,
    "init-script build-file project-dir settings-file include-build gradle-user-home project-cache-dir",
    "Ibcpg",
    "DP",
  ),
  mvn: guard(
    opaque.otherSettings,
    "file settings global-settings toolchains global-toolchains",
    "fsgt",
    "DPT",
    (args) =>
      values(args).some((value) =>
        // Whose plugin it is stands in front: any that Maven's servers have.
        /(?:^|[-:])(?:exec|antrun|groovy|gmaven|script)[\w-]*(?::|$)|^-Dexec|^[\w.-]+:[\w.-]+:/.test(value),
      )
        ? opaque.otherSettings
        : undefined,
  ),
};
