/** Recognizes scripts and tasks of a project whose name says that they publish: `npm run deploy`, `make release`. */

import { flagProfiles } from "../profiles/read-only-tools.ts";

const runners = new Set(
  "npm pnpm yarn bun make gmake just task rake mix mvn mvnw gradle gradlew ant sbt lein bazel bazelisk invoke inv fab nx turbo moon lerna rush wireit composer poe nox tox grunt gulp mage doit cargo deno ./gradlew ./mvnw".split(
    " ",
  ),
);
const anywhere =
  /^(?:publish|unpublish|deploy|redeploy|undeploy|upload|promote|rollout|sonar|sonarqube|jib|submit)(?:s|ed)?$/;
const inFront = /^(?:release|push|ship|tag|yank|send)$/;

const staging = /sonatype|nexus-staging|release\w*repositor/i;

/** The words of a name: `publishToMaven`, `docs:deploy` and `push_image` are several. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function says(name: string): boolean {
  const words = wordsOf(name);
  return (
    words.some((word) => anywhere.test(word)) ||
    inFront.test(words[0] ?? "") ||
    words.includes("push") ||
    staging.test(name)
  );
}

/** The word of a runner's command that names a publishing script, or undefined. Values of options do not count. */
export function findPublishingName(name: string, args: readonly string[]): string | undefined {
  if (!runners.has(name)) return undefined;
  const end = args.indexOf("--");
  const operands = (end < 0 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith("-"));
  return operands
    .slice(0, 6)
    .find(
      (word) =>
        !/[=/]|\.(?:[cm]?[jt]sx?|json|ya?ml|md|py|sh|txt|toml|rb|go|rs|java|xml|o)$/.test(word) &&
        !/^(?:run|run-script|exec|test)$/.test(word) &&
        says(word),
    );
}

/** Programs whose words are names of files, tests or commits: what they are called says nothing. */
const takesNames = new Set(
  "rm mv cp ln mkdir rmdir touch tee chmod chown chgrp install unlink zip unzip tar sed sort dd git cd jest vitest mocha ava pytest tox tsc eslint biome prettier ruff mypy rspec phpunit ctest python python3 node ruby perl sh bash vi vim nano code cmake gcc clang rustc javac dotnet docker podman nx turbo find xargs env timeout fd fdfind ag ack ugrep sd".split(
    " ",
  ),
);
const sends = /^(?:send|push|submit|yank)$/;

/** Whether words of this program are names of files, tests or commits. */
export function isNamesTaker(name: string): boolean {
  return (takesNames.has(name) && !runners.has(name)) || Object.hasOwn(flagProfiles, name);
}

/** Options that send, by program. */
const sendingOptions: Readonly<Record<string, RegExp>> = {
  ctest: /^(?:-[DTM]|--dashboard|--test-(?:action|model))/,
  pytest: /^--(?:tx|px|rsyncdir|pastebin)(?:=|$)/,
  cypress: /^--(?:record|key)(?:=|$)/,
  gradle: /^--scan$/,
  gradlew: /^--scan$/,
  gh: /^(?:--search|-S)(?:=|$)/,
  glab: /^--search(?:=|$)/,
  "electron-builder": /^-p/,
  "ghp-import": /^-[a-z]*p/,
  dotnet: /^[-/]t(?:arget)?:.*(?:publish|push|deploy)/i,
  nix: /^--to(?:=|$)/,
  guix: /^--to(?:=|$)/,
  gpg: /^--(?:send|recv|receive|search|refresh|locate|fetch|keyserver)/,
  gpg2: /^--(?:send|recv|receive|search|refresh|locate|fetch|keyserver)/,
};
/** Of any program but those that open a port with it. */
const sendingOption =
  /^--(?:publish|push|upload|deploy|target-host)(?:=|$)|(?:^|[=,])(?:type=registry|push=true)(?:,|$)/;
const opensPorts = /^(?:docker|podman|nerdctl|docker-compose)$/;

/** The option by which a program sends something to another machine. */
export function findSendingOption(name: string, args: readonly string[]): string | undefined {
  const own = Object.hasOwn(sendingOptions, name) ? sendingOptions[name] : undefined;
  return args.find(
    (arg) =>
      own?.test(arg) || (sendingOption.test(arg) && !(opensPorts.test(name) && /^--publish/.test(arg))),
  );
}

/** The word by which a program that no table knows says that it sends something: `cf push`, `hf upload`. */
export function findPublishingVerb(name: string, args: readonly string[]): string | undefined {
  if (isNamesTaker(name) || runners.has(name)) return undefined;
  const operands = args.filter((arg) => !arg.startsWith("-"));
  const first = operands.findIndex((word) => !/^[a-z][a-z0-9:_-]*$/i.test(word));
  return operands
    .slice(0, first < 0 ? 2 : Math.min(first, 2))
    .find((word) => wordsOf(word).some((part) => anywhere.test(part) || sends.test(part)));
}
