/** The built pages, listed once at start: what is not in the map cannot be asked for, so no path can lead elsewhere. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";

/** The file is read with each request, since all of them in memory are four megabytes of which a page wants a part. */
export type StaticFile = { read(): Promise<Buffer<ArrayBuffer>>; type: string };
/** By URL path, such as `/assets/index.js`; `/` is the start page. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
  ".txt": "text/plain; charset=utf-8",
};

/**
 * Lists every regular file below `directory` (links are not followed). The start page is kept as it is now: it names the
 * parts of its own build, which stay when a newer one lands. @throws an Error that says what to do when there is none.
 */
export async function loadStaticFiles(directory: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  for (const path of await listFiles(directory)) {
    const url = `/${relative(directory, path).split(sep).map(encodeURIComponent).join("/")}`;
    const type = types[extname(path).toLowerCase()] ?? "application/octet-stream";
    files.set(url, { read: () => readFile(path), type });
  }
  const startPage = files.get("/index.html");
  if (startPage === undefined) {
    throw new Error(
      `The console's pages are not built: there is no index.html in ${directory}. Run: npm run build`,
    );
  }
  const body = await startPage.read();
  const kept = { ...startPage, read: async () => body };
  return files.set("/", kept).set("/index.html", kept);
}

async function listFiles(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
