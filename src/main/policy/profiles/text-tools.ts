/** Read-only tools that print, cut, sort or compare text, with the flags that stay read-only. */
import type { FlagProfile } from "./flag-profile.ts";

const help = "help version";
// Not `-c`: it reads the files that another file names.
const digest: FlagProfile = {
  short: "btz",
  bsd: "btz",
  long: `binary text tag zero ${help}`,
  operands: "content",
};

export const textTools: Record<string, FlagProfile> = {
  cat: {
    short: "AbeEnstTuv",
    bsd: "belnstuv",
    long: `show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting ${help}`,
    operands: "content",
  },
  tac: { short: "brs:", long: `before regex separator= ${help}`, operands: "content" },
  head: {
    short: "c:n:qvz",
    bsd: "c:n:",
    long: `bytes= lines= quiet silent verbose zero-terminated ${help}`,
    operands: "content",
    numbers: true,
  },
  tail: {
    short: "c:n:qvz",
    bsd: "b:c:n:qrv",
    long: `bytes= lines= quiet silent verbose zero-terminated ${help}`,
    operands: "content",
    numbers: true,
  },
  wc: {
    short: "clmwL",
    bsd: "clmwL",
    long: `bytes chars lines words max-line-length total= ${help}`,
    operands: "content",
  },
  cut: {
    short: "b:c:d:f:nsz",
    bsd: "b:c:d:f:nsw",
    long: `bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated ${help}`,
    operands: "content",
  },
  tr: {
    short: "cCdst",
    long: `complement delete squeeze-repeats truncate-set1 ${help}`,
    operands: "text",
  },
  nl: {
    short: "b:d:f:h:i:l:n:ps:v:w:",
    bsd: "b:d:f:h:i:l:n:ps:v:w:",
    long: `body-numbering= number-format= number-separator= number-width= starting-line-number= ${help}`,
    operands: "content",
  },
  fold: {
    short: "bsw:",
    bsd: "bsw:",
    long: `bytes spaces width= ${help}`,
    operands: "content",
    numbers: true,
  },
  fmt: {
    short: "cstuw:g:p:",
    bsd: "cd:l:mnpst:w:",
    long: `split-only width= uniform-spacing ${help}`,
    operands: "content",
    numbers: true,
  },
  rev: { short: "", bsd: "", long: help, operands: "content" },
  paste: {
    short: "d:sz",
    bsd: "d:s",
    long: `delimiters= serial zero-terminated ${help}`,
    operands: "content",
  },
  join: {
    short: "a:e:ij:o:t:v:1:2:z",
    bsd: "a:e:j:o:t:v:1:2:",
    long: `ignore-case check-order nocheck-order header zero-terminated ${help}`,
    operands: "content",
  },
  comm: {
    short: "123z",
    bsd: "123i",
    long: `check-order nocheck-order output-delimiter= total zero-terminated ${help}`,
    operands: "content",
  },
  column: {
    short: "tns:o:xc:J",
    bsd: "c:s:tx",
    long: `table separator= output-separator= columns= fillrows json table-columns= ${help}`,
    operands: "content",
  },
  expand: { short: "it:", bsd: "t:", long: `initial tabs= ${help}`, operands: "content" },
  unexpand: {
    short: "at:",
    bsd: "at:",
    long: `all first-only tabs= ${help}`,
    operands: "content",
  },
  sort: {
    short: "bcCdfghik:Mmnrst:uVz",
    bsd: "bcCdfghik:Mmnrst:uVz",
    long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort numeric-sort month-sort version-sort random-sort reverse stable unique check key= field-separator= sort= zero-terminated merge ${help}`,
    operands: "content",
    optionsCanWrite: true,
  },
  uniq: {
    short: "cdDf:is:uw:z",
    bsd: "cdf:is:u",
    long: `count repeated all-repeated? skip-fields= ignore-case skip-chars= unique check-chars= zero-terminated group? ${help}`,
    operands: "content",
    maxOperands: 1,
  },
  diff: {
    // Not `-l`: another program cuts its output into pages.
    short: "abBcdEeHinNpqrstTuU:wW:yC:x:I:",
    bsd: "aBbcdefhinNpqrstuwyC:I:U:W:x:",
    long: `brief unified? context? side-by-side recursive new-file text ignore-case ignore-all-space ignore-space-change ignore-blank-lines report-identical-files minimal color? width= exclude= suppress-common-lines strip-trailing-cr no-dereference label= normal ${help}`,
    operands: "content",
  },
  cmp: {
    short: "bi:ln:s",
    bsd: "bhi:ln:sxz",
    long: `print-bytes bytes= verbose quiet silent ${help}`,
    operands: "content",
  },
  od: {
    short: "A:bcdfij:lN:osS:t:vw:x",
    bsd: "A:aBbcDdeFfHhIij:LlN:Oost:vXx",
    long: `address-radix= skip-bytes= read-bytes= format= output-duplicates width? ${help}`,
    operands: "content",
  },
  hexdump: { short: "bcCde:n:os:vx", bsd: "bcCde:n:os:vx", long: help, operands: "content" },
  strings: {
    short: "an:t:e:ow",
    bsd: "an:ot:",
    long: `all bytes= radix= encoding= ${help}`,
    operands: "content",
    numbers: true,
    wordFiles: true,
  },
  base64: {
    short: "diw:",
    bsd: "b:Ddi<w:",
    long: `decode ignore-garbage wrap= ${help}`,
    operands: "content",
    maxOperands: 1,
  },
  md5sum: digest,
  sha1sum: digest,
  sha224sum: digest,
  sha256sum: digest,
  sha384sum: digest,
  sha512sum: digest,
  b2sum: digest,
  cksum: { short: "", bsd: "o:", long: help, operands: "content" },
  sum: { short: "rs", bsd: "", long: help, operands: "content" },
};
