/** Tools that search file contents. */
import type { FlagProfile } from "./flag-profile.ts";

/** Options of grep and its like with which a search tells of files and lines without printing any. */
export const countsOnly: readonly string[] = [
  "-l",
  "-L",
  "-c",
  "-q",
  "--files-with-matches",
  "--files-without-match",
  "--count",
  "--quiet",
];

/** Options of grep with which it goes through the folders it is given. */
export const recursive: readonly string[] = ["-r", "-R", "--recursive", "--dereference-recursive"];

const grepLong =
  "extended-regexp fixed-strings basic-regexp perl-regexp regexp= file< ignore-case no-ignore-case word-regexp line-regexp null-data no-messages invert-match max-count= byte-offset line-number line-buffered with-filename no-filename label= only-matching quiet silent binary-files= text directories= devices= recursive dereference-recursive include= exclude= exclude-from< exclude-dir= files-without-match files-with-matches count initial-tab null after-context= before-context= context= color? colour? help version";

const grep: FlagProfile = {
  short: "A:aB:bC:cD:d:Ee:Ff<GHhIiLlm:noPqRrsTUvVwxyzZ",
  bsd: "A:aB:bC:cD:d:Ee:Ff<GHhIiLlm:nopqRrSsUuVvwxyz",
  long: grepLong,
  operands: "content",
  pattern: ["-e", "-f", "--regexp", "--file"],
  numbers: true,
};

export const searchTools: Record<string, FlagProfile> = {
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    short: "A:aB:bC:ce:Ff<g:HhIilm:M:NnoPpqr:SsT:t:UuvVwx0",
    long: "after-context= before-context= context= count count-matches regexp= file< fixed-strings glob= iglob= with-filename no-filename ignore-case files files-with-matches files-without-match max-count= max-columns= max-depth= max-filesize= line-number no-line-number only-matching pcre2 pretty quiet replace= smart-case case-sensitive type= type-not= type-list multiline multiline-dotall invert-match word-regexp line-regexp null hidden no-ignore no-ignore-vcs unrestricted no-heading heading color= colors= column no-column sort= sortr= stats trim vimgrep json text encoding= no-messages no-config passthru context-separator= one-file-system crlf null-data no-binary byte-offset include-zero engine= threads= help version",
    operands: "content",
    sameEverywhere: true,
    pattern: ["-e", "-f", "--regexp", "--file", "--files", "--type-list"],
  },
};
