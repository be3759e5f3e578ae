/** Recognises a program that is only asked for its version, and what could make even that run something else. */
import type { PolicyContext, Scene } from "./policy-context.ts";

/**
 * How each program is asked. Those that load code or settings of the folder first are not on the list, nor those that write down
 * that they ran (`go`) or look for a newer version of themselves (`gh`).
 */
const questions: Record<string, readonly string[]> = {
  node: ["-v", "--version"],
  npm: ["-v", "--version"],
  npx: ["-v", "--version"],
  java: ["--version", "-version"],
  javac: ["--version", "-version"],
  cargo: ["-V", "--version"],
  rustc: ["-V", "--version"],
  docker: ["-v", "--version"],
  python: ["-V", "--version"],
  python3: ["-V", "--version"],
  pip: ["-V", "--version"],
  pip3: ["-V", "--version"],
  ruby: ["-v", "--version"],
  perl: ["-v", "--version"],
  deno: ["-V", "--version"],
  tsc: ["-v", "--version"],
};
for (const name of "gcc g++ clang make cmake curl wget psql sqlite3 jq rg tar zip sed awk grep find sort bash git".split(
  " ",
))
  questions[name] ??= ["--version"];

/** Files that make a launcher of this name fetch or start another version, here or in any folder above. */
const choosers: Record<string, readonly string[]> = {
  cargo: ["rust-toolchain", "rust-toolchain.toml"],
  rustc: ["rust-toolchain", "rust-toolchain.toml"],
};

/** Launchers of any program, by what tells in a home that they are used, and the files by which they choose. */
const launchers: Record<string, readonly string[]> = {
  ".volta": ["package.json"],
  ".local/share/mise": ["mise.toml", ".mise.toml", "mise.local.toml", ".tool-versions"],
  ".proto": [".prototools"],
};

function choosersOf(name: string, { home, look }: PolicyContext): readonly string[] {
  const used = Object.entries(launchers).filter(([folder]) => look?.isThere(`${home}/${folder}`) ?? true);
  return [...(choosers[name] ?? []), ...used.flatMap(([, files]) => files)];
}

function foldersUpFrom(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return ["", ...parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`)];
}

/** Whether the words only ask for a version; a reason when the folder decides what would answer. */
export function readVersionQuestion(
  name: string,
  args: readonly string[],
  { context, cwds }: Scene,
): "asked" | { reason: string } | undefined {
  const known = Object.hasOwn(questions, name) && args.length === 1 && questions[name]!.includes(args[0]!);
  if (!known) return undefined;
  const reason = findChooser(name, { context, cwds });
  return reason === undefined ? "asked" : { reason };
}

/** Why not the program of this name may answer but another one, which a file of the folder names. */
export function findChooser(name: string, { context, cwds }: Scene): string | undefined {
  const chosen = choosersOf(name, context).some((file) =>
    cwds.some((cwd) =>
      foldersUpFrom(cwd).some((folder) => context.look?.isThere(`${folder}/${file}`) ?? true),
    ),
  );
  return chosen ? `A file of the folder decides which ${name} answers, and may fetch it first.` : undefined;
}
