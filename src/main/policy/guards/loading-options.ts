/** Options by which tools of any name are told what to load: settings, plugins, programs, packages from elsewhere. */

const loading = new Set(
  "config config-file config-path rcfile rc-file init-hook load-plugins plugins plugin require preload bootstrap lua-filter shell-escape makefile taskfile justfile knexfile custom-typing-module processor processorpath processor-path template-dir env-file options-file append-config index-url extra-index-url default-index find-links trusted-host".split(
    " ",
  ),
);
/** Of these the value may be a file of the workspace, which the tool then runs. */
const loadsByPath =
  /^--?(?:f|format|formatter|reporters?|environment|testEnvironment|pool|runner|filter|setupFiles\w*|globalTeardown|resolver|transform|testSequencer|snapshotResolver)$/;

/** The word that names something to be loaded, or `undefined`. */
export function findLoading(words: readonly string[]): string | undefined {
  const named = words.find((word) => loading.has(/^--?([\w-]+)(?:=|$)/.exec(word)?.[1] ?? ""));
  const apart = words.flatMap((word) => (word.startsWith("-") ? word.split(/=(.*)/s, 2) : [word]));
  const isFile = (word: string, at: number) =>
    loadsByPath.test(apart[at - 1] ?? "") && /^[./]|\.[cm]?[jt]sx?$/.test(word);
  return named ?? apart.find(isFile);
}
