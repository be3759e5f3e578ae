/** The variables whose value is known before a command runs, so that a word may hold them. */

/** What a variable stands for. `glob` values are file patterns that bash expands when the loop begins. */
export type KnownValue = { value: string; pattern: string; glob: boolean; leadingGlob: boolean };

/** What is known where a word stands. */
export type KnownVariables = {
  home: string;
  /** Absent once the command changed its directory. */
  pwd: string | undefined;
  /** The variables of the `for` loops around, in the round that is looked at. */
  loops?: ReadonlyMap<string, KnownValue>;
  /** The word is only printed: variables that hold no secret may stand in it, whatever their value is. */
  printed?: boolean;
};

const printable = new Set(["?", "PATH", "USER", "SHELL", "LANG", "TERM", "CI", "HOSTTYPE", "OSTYPE"]);

function plain(value: string): KnownValue {
  return { value, pattern: value.replace(/[\\*?[\]{}()!+@|]/g, "\\$&"), glob: false, leadingGlob: false };
}

/** What `$name` stands for, or undefined when nobody can know. A printed one stands for its own name. */
export function findVariable(known: KnownVariables, name: string): KnownValue | undefined {
  const looped = known.loops?.get(name);
  if (looped !== undefined) return looped;
  if (name === "HOME") return plain(known.home);
  if (name === "PWD") return known.pwd === undefined ? undefined : plain(known.pwd);
  if (!known.printed || !printable.has(name)) return undefined;
  return plain(name === "?" ? "0" : name);
}
