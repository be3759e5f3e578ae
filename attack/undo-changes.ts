/** Random changes to a folder, as tools make them, as bash does, and as a person does by hand; with every kind of file there is. */
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { FileChangeRequest } from "../src/main/files/file-change.ts";

export type Draw = <T>(from: readonly T[]) => T;

const folders = ["a", "a/b", "a/b/c", "d e", "é中", "A", ".hid", "-dash", "new\nline", "a/b/c/d/e/f"];
const longName = "n".repeat(255);
const names = ["x", "X", "y.txt", "z.bin", "sp ace", "ü", "u\u0308", "-rf", "'q\"", "back\\slash", longName];

/** A path of the folder, some deep, some in folders that may be files by then. */
export function drawPath(draw: Draw): string {
  return draw([true, true, true, true, false])
    ? join(draw(folders), draw(names))
    : draw([...names, ...folders]);
}

/** What a folder holds before anything happens. */
export function fillFolder(draw: Draw, root: string): void {
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (let i = 0; i < 120; i += 1) {
    const path = join(root, draw(folders), draw(names));
    if (lstatSync(path, { throwIfNoEntry: false })) continue;
    if (i % 9 === 8) symlinkSync(draw(["x", "../nowhere", "y.txt", "."]), path);
    else writeFileSync(path, draw([`text ${i}`, "", Buffer.from([0, i, 255]), "line\r\n".repeat(200)]));
    if (i % 5 === 0 && i % 9 !== 8) chmodSync(path, draw([0o755, 0o600, 0o444]));
  }
}

/** For bash, in single quotes. */
const quoted = (path: string) => `'${path.replaceAll("'", "'\\''")}'`;

/** One line of a command; it may fail. */
export function drawLine(draw: Draw): string {
  const [one, other, number] = [
    quoted(`./${drawPath(draw)}`),
    quoted(`./${drawPath(draw)}`),
    draw(range(1_000)),
  ];
  const folder = quoted(`./${draw(folders)}`);
  return draw([
    `echo ${number} > ${one}`,
    `echo ${number} >> ${one}`,
    `mkdir -p ${folder} && echo ${number} > ${one}`,
    `printf '\\0\\377${number}' > ${one}`,
    `rm -f ${one}`,
    `rm -rf ${one}`,
    `mv -f ${one} ${other}`,
    `mv -T ${one} ${other}`,
    `mv ${folder} ${other}`,
    `cp -a ${one} ${other}`,
    `cp -r ${folder} ${other}`,
    `ln ${one} ${other}`,
    `ln -f ${one} ${other}`,
    `ln -sfn ${other} ${one}`,
    `chmod ${draw(["755", "600", "444", "000", "4755", "1777"])} ${one}`,
    `chmod -R ${draw(["u+w", "g-r", "755"])} ${folder}`,
    `truncate -s ${draw(["0", "0", "1", "1", "70000", "70000", "300000", "11M"])} ${one}`,
    `rm -rf ${one}; mkdir -p ${one}; echo ${number} > ${one}/x`,
    `rm -rf ${one}; mknod ${one} c 1 3`,
    `rm -rf ${folder}; echo ${number} > ${folder}`,
    `rm -rf ${folder}; mkdir -p ${folder}`,
    `mkdir -p ${folder}/empty/within`,
    `mv ${one} t.$$ && mv ${other} ${one} && mv t.$$ ${other}`,
    `sed -i s/1/2/ ${one}`,
    `touch -d 2001-01-01 ${one}`,
    `cp -p ${one} k.$$ && echo ${number} > ${one} && touch -r k.$$ ${one}; mv -f k.$$ ${one}.kept`,
    `echo ${number} > ${folder}/$'odd\\xff${draw(["", "1"])}'`,
    `mv ${one} $'gone\\xfe'`,
    `ln -sfn there ${folder}/$'link\\xff'`,
    `mkdir -p $'in\\xff' && echo ${number} > $'in\\xff/x'`,
    `exec 7>${one}; echo ${number} >&7; rm -f ${one}; echo more >&7; exec 7>&-`,
    `dd if=/dev/zero of=${one} bs=1 count=1 seek=100000 conv=notrunc`,
  ]);
}

/** What a tool does; it may be refused. */
export function drawRequest(draw: Draw): FileChangeRequest {
  const [path, to] = [drawPath(draw), drawPath(draw)];
  return draw<FileChangeRequest>([
    { operation: "write", path, content: `by a tool ${draw(range(1_000))}` },
    { operation: "write", path, content: "" },
    { operation: "edit", path, oldString: "1", newString: "one", replaceAll: true },
    { operation: "delete", path },
    { operation: "move", path, to },
  ]);
}

/** What a person does by hand. @returns the path and the content that must not be lost */
export function editByHand(draw: Draw, root: string, number: number): [string, string] | undefined {
  const path = join(root, drawPath(draw));
  const text = `by a person ${number}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // What a link leads to may be outside, or another file of this very list.
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) return undefined;
    rmSync(path, { force: true });
    writeFileSync(path, text);
    return [path, text];
  } catch {
    return undefined;
  }
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Enough of a file to tell it from any other that is made here. */
function beginningOf(path: Buffer): string {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(2_000);
  const length = readSync(file, bytes, 0, bytes.length, 0);
  closeSync(file);
  return bytes.subarray(0, length).toString("latin1");
}

/** Every file and link by its path, with what it is; what has a name that is no text goes by what is shown of it. */
export function pictureOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (folder: Buffer) => {
    for (const name of readdirSync(folder, "buffer")) {
      const path = Buffer.concat([folder, Buffer.from("/"), name]);
      const stat = lstatSync(path);
      if (stat.isDirectory()) visit(path);
      const mode = (stat.mode & 0o7777).toString(8);
      const seen = stat.isSymbolicLink()
        ? `link ${readlinkSync(path)}`
        : stat.isFile() && `${mode} ${stat.size} ${beginningOf(path)}`;
      const shown = path.toString();
      // Two names that are no text may be shown alike.
      if (seen) found.set(shown, [found.get(shown), seen].filter(Boolean).sort().join(" and "));
    }
  };
  visit(Buffer.from(root));
  return found;
}
