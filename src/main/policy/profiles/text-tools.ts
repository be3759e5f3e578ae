/** Read-only tools that print, cut, sort or compare text, with the flags that stay read-only. */
import type { FlagProfile } from "./flag-profile.ts";

const help = "help version";
const digest: FlagProfile = {
  short: "bctwz",
  long: `binary check text tag zero ignore-missing quiet status strict warn ${help}`,
  operands: "content",
};

export const textTools: Record<string, FlagProfile> = {
  cat: {
    short: "AbeEnstTuv",
    long: `show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting ${help}`,
    operands: "content",
  },
  tac: { short: "brs:", long: `before regex separator= ${help}`, operands: "content" },
  head: {
    short: "c:n:qvz",
    long: `bytes= lines= quiet silent verbose zero-terminated ${help}`,
    operands: "content",
    numbers: true,
  },
  tail: {
    short: "c:n:qvz",
    long: `bytes= lines= quiet silent verbose zero-terminated ${help}`,
    operands: "content",
    numbers: true,
  },
  wc: {
    short: "clmwL",
    long: `bytes chars lines words max-line-length total= ${help}`,
    operands: "content",
  },
  cut: {
    short: "b:c:d:f:nsz",
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
    long: `body-numbering= number-format= number-separator= number-width= starting-line-number= ${help}`,
    operands: "content",
  },
  fold: {
    short: "bsw:",
    long: `bytes spaces width= ${help}`,
    operands: "content",
    numbers: true,
  },
  fmt: {
    short: "cstuw:g:p:",
    long: `split-only width= uniform-spacing ${help}`,
    operands: "content",
    numbers: true,
  },
  rev: { short: "", long: help, operands: "content" },
  paste: {
    short: "d:sz",
    long: `delimiters= serial zero-terminated ${help}`,
    operands: "content",
  },
  join: {
    short: "a:e:ij:o:t:v:1:2:z",
    long: `ignore-case check-order nocheck-order header zero-terminated ${help}`,
    operands: "content",
  },
  comm: {
    short: "123z",
    long: `check-order nocheck-order output-delimiter= total zero-terminated ${help}`,
    operands: "content",
  },
  column: {
    short: "tns:o:xc:J",
    long: `table separator= output-separator= columns= fillrows json table-columns= ${help}`,
    operands: "content",
  },
  expand: { short: "it:", long: `initial tabs= ${help}`, operands: "content" },
  unexpand: {
    short: "at:",
    long: `all first-only tabs= ${help}`,
    operands: "content",
  },
  sort: {
    short: "bcCdfghik:Mmnrst:uVz",
    long: `ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort numeric-sort month-sort version-sort random-sort reverse stable unique check key= field-separator= sort= zero-terminated merge ${help}`,
    operands: "content",
    optionsCanWrite: true,
  },
  uniq: {
    short: "cdDf:is:uw:z",
    long: `count repeated all-repeated? skip-fields= ignore-case skip-chars= unique check-chars= zero-terminated group? ${help}`,
    operands: "content",
    maxOperands: 1,
  },
  diff: {
    short: "abBcdEeHilnNpqrstTuU:wWyC:x:I:",
    long: `brief unified? context? side-by-side recursive new-file text ignore-case ignore-all-space ignore-space-change ignore-blank-lines report-identical-files minimal color? width= exclude= suppress-common-lines strip-trailing-cr no-dereference label= normal ${help}`,
    operands: "content",
  },
  cmp: {
    short: "bi:ln:s",
    long: `print-bytes bytes= verbose quiet silent ${help}`,
    operands: "content",
  },
  od: {
    short: "A:bcdfij:lN:osS:t:vw:x",
    long: `address-radix= skip-bytes= read-bytes= format= output-duplicates width? ${help}`,
    operands: "content",
  },
  hexdump: { short: "bcCde:n:os:vx", long: help, operands: "content" },
  strings: {
    short: "an:t:e:ow",
    long: `all bytes= radix= encoding= ${help}`,
    operands: "content",
    numbers: true,
  },
  base64: { short: "diw:", long: `decode ignore-garbage wrap= ${help}`, operands: "content", maxOperands: 1 },
  md5sum: digest,
  sha1sum: digest,
  sha224sum: digest,
  sha256sum: digest,
  sha384sum: digest,
  sha512sum: digest,
  b2sum: digest,
  cksum: { short: "", long: help, operands: "content" },
  sum: { short: "rs", long: help, operands: "content" },
};
