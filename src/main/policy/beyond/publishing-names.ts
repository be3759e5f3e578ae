/** Recognizes scripts and tasks of a project whose name says that they publish: `npm run deploy`, `make release`. */

const runners = new Set(
  "npm pnpm yarn bun make gmake just task rake mix mvn mvnw gradle gradlew ant sbt lein bazel bazelisk invoke inv fab nx turbo moon lerna rush wireit composer poe nox tox grunt gulp mage doit cargo deno ./gradlew ./mvnw".split(
    " ",
  ),
);
const anywhere = /^(?:publish|unpublish|deploy|redeploy|undeploy|upload|promote|rollout)(?:s|ed)?$/;
const inFront = /^(?:release|push|ship|tag|yank|send)$/;

/** The words of a name: `publishToMaven`, `docs:deploy` and `push_image` are several. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

function says(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => anywhere.test(word)) || inFront.test(words[0] ?? "") || words.includes("push");
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
