/** The names of archives: files of names that nobody here can see. */

const endings =
  "tar|tgz|tbz|tbz2|txz|tzst|tlz|zip|jar|war|ear|aar|apk|ipa|whl|egg|gem|crate|nupkg|vsix|crx|xpi|asar|phar|7z|rar|cpio|shar|xar|iso|dmg|deb|rpm|bundle|gz|bz2|xz|zst|lz|lz4|lzma|br|z";
const archive = new RegExp(`\\.(?:${endings})(?:~|\\.(?:bak|old|orig|\\d+))?$`, "i");

/** Whether a path is named like an archive, or like a copy of one. */
export function isArchiveName(path: string): boolean {
  return archive.test(path);
}
