/**
 * @param moduleUrl the `import.meta.url` of the asking file
 * @returns where the file of a worker or a process lies: beside that file, as source or as built; a build has to emit it
 *   there under this name.
 */
export function fileBeside(moduleUrl: string, name: string): URL {
  return new URL(`${name}${moduleUrl.endsWith(".ts") ? ".ts" : ".js"}`, moduleUrl);
}
