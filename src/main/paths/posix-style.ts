/** Paths of Linux and macOS. */
import { foldName } from "./fold-name.ts";
import { isWithin, normalizePath, type PathBase, type PathStyle } from "./path-style.ts";

const absolute = (text: string, { cwd }: PathBase) => (text.startsWith("/") ? text : `${cwd}/${text}`);

export const posixStyle: PathStyle = {
  name: "posix",
  place: (text, base) => ({ path: absolute(text, base) }),
  findProblem: () => undefined,
  guess: absolute,
  hasOtherSpellings: false,
  toNative: (path) => path,
  fromNative: (path) => path,
};

/** Folders whose very names are machines: a look below them mounts what the name says. */
const mounted = /^(?:\/system\/volumes\/data)?\/(?:net|network)(?:\/|$)/;
const otherMachine = "names another machine, and looking for it already tells that machine who you are";

function findMachine(path: string, workspace: string | undefined): string | undefined {
  const normal = normalizePath(path);
  if (workspace !== undefined && isWithin(normal, workspace)) return undefined;
  return mounted.test(foldName(normal)) ? otherMachine : undefined;
}

export const darwinStyle: PathStyle = {
  ...posixStyle,
  name: "darwin",
  place(text, base) {
    const path = absolute(text, base);
    const problem = findMachine(path, base.workspace);
    return problem === undefined ? { path } : { problem, kind: "elsewhere", named: normalizePath(path) };
  },
  findProblem: (path, { workspace }) => findMachine(path, workspace),
  hasOtherSpellings: true,
};
