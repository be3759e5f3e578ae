/**
 * Where the file of a worker or a process lies: beside the file that starts it, as source or as built.
 *
 * @param moduleUrl the `import.meta.url` of the asking file
 * @param name as it is built; what a package holds is found by the names that its files say
 */
export function fileBeside(moduleUrl: string, name: `${string}.js`): URL {
  return new URL(moduleUrl.endsWith(".ts") ? name.replace(/\.js$/, ".ts") : name, moduleUrl);
}
