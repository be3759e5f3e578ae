/** Finds, by the text of a test file alone, which of its tests are left out on a system: no run on that system is needed. */

/** A condition that names systems and nothing else, such as `process.platform !== "win32"`. */
const comparison = /^process\.platform (===|!==) "(\w+)"$/;
const left =
  /\b(?:it|test|describe)\.(skipIf|runIf)\(([^\n]*?)\)(?:\.each\([^\n]*?\))?\(\s*(["'`])(.*?)\3\s*,/gs;
const constant = /^const (\w+) = (process\.platform [^;\n]+);/gm;

/** Whether a condition holds on a system; undefined when it depends on more than that. */
function holdsOn(condition, system, constants) {
  const parts = condition.split(" || ").map((part) => {
    const text = constants.get(part.replace(/^!/, "")) ?? part.replace(/^!/, "");
    const match = comparison.exec(text);
    return match === null
      ? undefined
      : ((match[1] === "===") === (match[2] === system)) !== part.startsWith("!");
  });
  return parts.includes(undefined) ? undefined : parts.includes(true);
}

/** The titles of the tests and groups that a file leaves out on a system (`linux`, `darwin`, `win32`) because it is that. */
export function leftOutOn(system, text) {
  const constants = new Map([...text.matchAll(constant)].map(([, name, value]) => [name, value]));
  return [...text.matchAll(left)].flatMap(([, kind, condition, , title]) => {
    const holds = holdsOn(condition, system, constants);
    return holds === (kind === "skipIf") ? [title] : [];
  });
}
