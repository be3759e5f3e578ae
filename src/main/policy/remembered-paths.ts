/** Looks at each path once while one command is judged, and at no more paths than a plain command names. */
import type { ResolvePath } from "./policy-context.ts";

const maxPaths = 1_000;

/** The same resolver with a memory. Beyond the limit every path is unresolvable, which asks. */
export function rememberPaths(resolve: ResolvePath | undefined): ResolvePath | undefined {
  if (resolve === undefined) return undefined;
  const known = new Map<string, ReturnType<ResolvePath>>();
  return (path) => {
    const remembered = known.get(path);
    if (remembered !== undefined) return remembered;
    if (known.size >= maxPaths) return "unresolvable";
    const resolved = resolve(path);
    known.set(path, resolved);
    return resolved;
  };
}
