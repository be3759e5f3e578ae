/** Ways to write paths on each system, with where they lead from the workspace; for tests only. */

/** A name below the workspace, `> path` outside, `elsewhere` or `no file`: neither of them may be looked at, or `unknown`. */
export type Spelling = readonly [text: string, leadsTo: string];

/** Every beginning in front of every name. */
function spell(beginnings: string, names: readonly Spelling[]): Spelling[] {
  return beginnings
    .split(" ")
    .flatMap((beginning) =>
      names.map(([name, to]): Spelling => [`${beginning === "." ? "" : beginning}${name}`, to]),
    );
}

const each = (leadsTo: string, texts: readonly string[]) => texts.map((text): Spelling => [text, leadsTo]);

const posixNames: Spelling[] = [
  ["src/a.ts", "src/a.ts"],
  ["src//./a.ts", "src/a.ts"],
  ["src/../README.md", "README.md"],
  ["new/file.txt", "new/file.txt"],
  ["in/a.ts", "src/a.ts"],
  ["in/../README.md", "README.md"],
  ["out/x", "> /etc/x"],
  ["out/../x", "> /x"],
  ["loop", "unknown"],
  ["loop/x", "unknown"],
  ["gone/../README.md", "unknown"],
  ["../app/README.md", "README.md"],
  ["../other.txt", "> {parent}/other.txt"],
  ["../../../../x", "> /x"],
  ["a\\b.txt", "a\\b.txt"],
  ["a.ts:evil", "a.ts:evil"],
  ["trailing. ", "trailing. "],
];

export const linuxTree = [
  ..."/ /home /home/ada /home/ada/app /home/ada/app/src /home/ada/app/src/a.ts /home/ada/app/README.md /etc /etc/passwd /home/ada/.ssh".split(
    " ",
  ),
  "/home/ada/app/in -> src",
  "/home/ada/app/out -> /etc",
  "/home/ada/app/loop -> loop",
];

export const linuxSpellings: Spelling[] = [
  ...spell(". ./ /home/ada/app/ //home/ada//app/ ~/app/ /home/ada/app/src/../", posixNames).map(
    ([text, to]): Spelling => [text, to.replace("{parent}", "/home/ada")],
  ),
  ["SRC/a.ts", "SRC/a.ts"],
  ["/HOME/ADA/app/x", "> /HOME/ADA/app/x"],
  ["/net/evil/x", "> /net/evil/x"],
  ["//evil/share", "> /evil/share"],
  ["~", "> /home/ada"],
  ["~eve/x", "~eve/x"],
  ["", "no file"],
  ["a\0b", "no file"],
];

export const macTree = [
  ..."/ /Users /Users/ada /Users/ada/App /Users/ada/App/src /Users/ada/App/src/a.ts /Users/ada/App/README.md /private /private/etc /private/etc/hosts /private/var".split(
    " ",
  ),
  "/Users/ada/App/Caf\u0065\u0301",
  "/Users/ada/App/secrets.json",
  "/etc -> private/etc",
  "/var -> private/var",
  "/Users/ada/App/in -> src",
  "/Users/ada/App/out -> /etc",
  "/Users/ada/App/far -> /net/evil.example/home",
  "/Users/ada/App/farther -> /NETWORK/Servers/evil",
  "/Users/ada/App/root -> /",
  "/Users/ada/App/loop -> loop",
];

const macNames: Spelling[] = [
  ["src/a.ts", "src/a.ts"],
  ["SRC/A.TS", "src/a.ts"],
  ["\u017frc/a.t\u017f", "src/a.ts"],
  ["readme.MD", "README.md"],
  ["CAFE\u0301", "Caf\u0065\u0301"],
  ["Caf\u00e9", "Caf\u0065\u0301"],
  ["\u017fecretS.json", "secrets.json"],
  ["Src/New.txt", "src/New.txt"],
  ["In/a.ts", "src/a.ts"],
  ["OUT/Hosts", "> /private/etc/hosts"],
  ["out/new", "> /private/etc/new"],
  ["far", "unknown"],
  ["far/x", "unknown"],
  ["farther/x", "unknown"],
  ["root/net/evil.example/x", "unknown"],
  ["out/../../NETWORK/x", "unknown"],
  ["loop/x", "unknown"],
  ["../app/src", "src"],
  ["gone/../x", "unknown"],
];

export const macSpellings: Spelling[] = [
  ...spell(". ./ /Users/ada/App/ /users/ADA/app/ ~/App/ /Users/ada/App/src/../", macNames),
  ...each("elsewhere", [
    ...["/net/evil.example/x", "/NET/evil", "/net", "/Network/Servers/x", "/network", "//net//evil/x"],
    ...["/etc/../net/evil/x", "../../../net/evil", "/n\u0065t/evil", "/System/Volumes/Data/net/x"],
  ]),
  ["/etc/hosts", "> /private/etc/hosts"],
  ["/VAR", "> /private/var"],
  ["/networks/x", "> /networks/x"],
  ["", "no file"],
];

export const windowsTree = [
  "C:\\",
  "C:\\Ws",
  "C:\\Ws\\App",
  "C:\\Ws\\App\\src",
  "C:\\Ws\\App\\src\\a.ts",
  "C:\\Ws\\App\\README.md",
  "C:\\Ws\\App\\Long Name.txt",
  "C:\\Ws\\App\\in -> src",
  "C:\\Ws\\App\\junction -> \\\\?\\C:\\Users\\ada",
  "C:\\Ws\\App\\far -> \\\\evil.example\\share",
  "C:\\Ws\\App\\farther -> \\\\?\\UNC\\evil.example\\share",
  "C:\\Ws\\App\\drive -> D:\\data",
  "C:\\Ws\\App\\device -> \\\\.\\PhysicalDrive0",
  "C:\\Ws\\App\\loop -> loop",
  "C:\\Users",
  "C:\\Users\\ada",
  "C:\\Users\\ada\\.ssh",
];
export const windowsShortNames = { "longna~1.txt": "Long Name.txt", "readme~1.md": "README.md" };

const windowsNames: Spelling[] = [
  ["src\\a.ts", "src/a.ts"],
  ["SRC/A.TS", "src/a.ts"],
  ["src\\..\\readme.md", "README.md"],
  ["gone\\..\\README.md", "README.md"],
  ["LONGNA~1.TXT", "Long Name.txt"],
  ["In\\a.ts", "src/a.ts"],
  ["Src\\New.txt", "src/New.txt"],
  ["junction\\.ssh", "> C:\\Users\\ada\\.ssh"],
  ["JUNCTION\\new", "> C:\\Users\\ada\\new"],
  ["far\\x", "unknown"],
  ["farther\\x", "unknown"],
  ["drive\\x", "unknown"],
  ["device", "unknown"],
  ["loop", "unknown"],
];

const noFiles = [
  ..."NUL con.txt src\\AUX com1.log LPT9 CONIN$ src\\a.ts:evil src\\a.ts::$DATA .git::$INDEX_ALLOCATION C:x.txt C:..\\..\\x C:".split(
    " ",
  ),
  ...[
    ".git.\\hooks\\x",
    "a.ts.",
    "a.ts ",
    ".env ...",
    "a|b",
    "a<b",
    'a"b',
    "a?b",
    "*.ts",
    "a\u0001b",
    "",
    "\\\\evil",
  ],
  ..."\\\\?\\C:\\Ws\\App\\src\\a.ts \\\\.\\PhysicalDrive0 \\??\\C:\\x //?/C:/x //./NUL \\\\.\\pipe\\x //?/UNC/evil/x".split(
    " ",
  ),
];
const elsewhere =
  "\\\\evil.example\\share\\x //evil.example/share/x \\/evil\\x /\\evil\\x \\\\localhost\\c$\\Ws\\App\\src D:\\x d:/x D:\\Ws\\App\\src Z:/ \\\\\\evil\\x \\\\evil@SSL\\DavWWWRoot\\x".split(
    " ",
  );

export const windowsSpellings: Spelling[] = [
  ...spell(". .\\ C:\\Ws\\App\\ c:/ws/APP/ \\Ws\\App\\ C:/Ws/./App/src/../", windowsNames),
  ...each("no file", noFiles),
  ...each("elsewhere", elsewhere),
  ["~\\.ssh", "> C:\\Users\\ada\\.ssh"],
  ["~/x", "> C:\\Users\\ada\\x"],
  ["..\\..\\Windows", "> C:\\Windows"],
  ["..\\..\\..\\..\\Windows", "> C:\\Windows"],
  ["\\Windows", "> C:\\Windows"],
  ["/c/Ws/App", "> C:\\c\\Ws\\App"],
];
