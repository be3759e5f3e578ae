/** Tools that list files and describe them without printing what they hold. */
import type { FlagProfile } from "./flag-profile.ts";

const help = "help version";

const ls: FlagProfile = {
  short: "aAbBcCdfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1",
  bsd: "1@AaBbCcD:deFfGgHhIiklLmnOoPpqRrSsTtUuvWwXxy",
  long: `all almost-all author escape block-size= ignore-backups color? directory classify? file-type format= full-time group-directories-first no-group human-readable si dereference hide= hyperlink? indicator-style= inode ignore= kibibytes numeric-uid-gid literal quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero ${help}`,
  operands: "metadata",
};

export const fileListing: Record<string, FlagProfile> = {
  ls,
  dir: ls,
  vdir: ls,
  stat: {
    short: "Lfc:tx",
    bsd: "Ff:Llnqrst:x",
    long: `dereference file-system format= printf= terse cached= ${help}`,
    operands: "metadata",
  },
  du: {
    short: "0aAbB:cDd:HhklLmPSst:xX<",
    bsd: "AaB:cd:gHhI:klLmnPrst:x",
    long: `null all apparent-size block-size= bytes total max-depth= human-readable si summarize separate-dirs exclude= time? one-file-system ${help}`,
    operands: "metadata",
  },
  df: {
    short: "aB:hHiklPTt:x:",
    bsd: "abcgHhIiklmnPt:T:Y",
    long: `all block-size= human-readable si inodes local portability total print-type type= ${help}`,
    operands: "metadata",
  },
  file: {
    short: "bhiLNrsvk0F:",
    bsd: "bCcdDEf<F:hIikLm:MnNprsSvzZ0",
    long: `brief mime mime-type mime-encoding dereference no-dereference no-pad extension raw ${help}`,
    operands: "metadata",
  },
  tree: {
    short: "adfilL:P:I:pshugDFrtcUvCnNQ",
    long: `dirsfirst filelimit= gitignore prune noreport du si inodes device charset= sort= ${help}`,
    operands: "metadata",
    optionsCanWrite: true,
  },
  basename: { short: "as:z", bsd: "as:", long: `multiple suffix= zero ${help}`, operands: "text" },
  dirname: { short: "z", bsd: "", long: `zero ${help}`, operands: "text" },
  realpath: {
    short: "eLmPqsz",
    bsd: "q",
    long: `canonicalize-existing canonicalize-missing logical physical quiet relative-to< relative-base< strip zero ${help}`,
    operands: "metadata",
  },
  readlink: {
    short: "efmnqsvz",
    bsd: "fn",
    long: `canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero ${help}`,
    operands: "metadata",
  },
  pathchk: { short: "p", bsd: "pP", long: `portability ${help}`, operands: "metadata" },
};
