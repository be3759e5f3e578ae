/** Reads the words of curl and its like: a plain request for a plain address stays a reading, all else leaves. */
import { quote } from "../../../shared/foreign-words.ts";
import type { ShellWord } from "../shell-word.ts";
import { readAddress } from "./web-address.ts";

/** Options that change neither what is sent nor where to. `:` takes a value; `long` is parted by spaces, `=` likewise. */
type RequestProfile = { short: string; long: string };

/** Why an option with this value does more than ask for a page. */
function describeValue(flag: string, value: string): string | undefined {
  if (/^(?:-X|--request|--method)$/.test(flag) && !/^(?:GET|HEAD)$/.test(value))
    return `The method ${quote(value)} changes something on the server.`;
  // It is sent as it is written, whatever it says.
  if (/^(?:-r|--range|-C|--continue-at)$/.test(flag) && !/^(?:-|\d{0,12}(?:-\d{0,12})?)$/.test(value))
    return `The range ${quote(value)} may carry text to the server.`;
  return undefined;
}

const profiles: Record<string, RequestProfile> = {
  curl: {
    short: "fgikIjLlNnOoqRsSvVw4601#:mXyYCrzoJ",
    long: "fail fail-with-body fail-early silent show-error location head include verbose compressed insecure ipv4 ipv6 http1.0 http1.1 http2 http3 tlsv1.2 tlsv1.3 no-progress-meter progress-bar remote-name remote-time version help max-time= connect-timeout= retry= retry-delay= retry-max-time= retry-all-errors max-redirs= request= write-out= output= range= continue-at= time-cond= max-filesize= limit-rate= no-buffer globoff parallel styled-output no-styled-output stderr= url=",
  },
  wget: {
    short: "qvScNbrlHkpEnLxPOtTwQA4o6V",
    long: "quiet no-verbose verbose server-response spider continue timestamping no-clobber output-document= directory-prefix= tries= timeout= wait= quota= no-check-certificate inet4-only inet6-only version help show-progress progress= no-directories content-disposition max-redirect= level= recursive no-parent method= output-file=",
  },
  aria2c: { short: "qdoxskjcV", long: "quiet= dir= out= continue version help" },
  xh: { short: "bhvqFd", long: "body headers verbose quiet follow download version help" },
};
const takesValue: Record<string, string> = {
  curl: "mXyYCrzow",
  wget: "lPOtTwQAo",
  aria2c: "doxskj",
  xh: "",
};
const same: Record<string, string> = { http: "xh", https: "xh", httpie: "xh", xhs: "xh", wget2: "wget" };

type Reading = { problem?: string; addresses: string[] };

function readLong(profile: RequestProfile, word: string, next: string | undefined): string | number {
  const [name = "", inline] = [
    word.slice(2).split("=")[0],
    word.includes("=") ? word.slice(word.indexOf("=") + 1) : undefined,
  ];
  const known = profile.long.split(" ");
  if (known.includes(name)) return inline === undefined ? 0 : `The option ${quote(word)} is not known here.`;
  if (!known.includes(`${name}=`)) return `The option ${quote(`--${name}`)} may send something.`;
  const value = inline ?? next ?? "";
  return describeValue(`--${name}`, value) ?? (inline === undefined ? 1 : 0);
}

function readShort(
  profile: RequestProfile,
  valued: string,
  word: string,
  next: string | undefined,
): string | number {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at]!;
    if (letter === ":" || !profile.short.includes(letter))
      return `The option ${quote(`-${letter}`)} may send something.`;
    if (!valued.includes(letter)) continue;
    const inline = word.slice(at + 1);
    const value = inline === "" ? (next ?? "") : inline;
    return describeValue(`-${letter}`, value) ?? (inline === "" ? 1 : 0);
  }
  return 0;
}

function readWords(profile: RequestProfile, valued: string, values: readonly string[]): Reading {
  const addresses: string[] = [];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at]!;
    if (!value.startsWith("-") || value === "-") {
      addresses.push(value);
      continue;
    }
    if (value.startsWith("--url")) {
      addresses.push(value.startsWith("--url=") ? value.slice(6) : (values[at + 1] ?? ""));
    }
    const read = value.startsWith("--")
      ? readLong(profile, value, values[at + 1])
      : readShort(profile, valued, value, values[at + 1]);
    if (typeof read === "string") return { problem: read, addresses };
    at += read;
  }
  return { addresses };
}

/**
 * Why a request sends more than the wish for a page, or undefined when it only asks for one. A method other than GET
 * and HEAD, data, headers, cookies and every option that is not known to send nothing count.
 *
 * @returns undefined also for a program that makes no web requests
 */
export function findOutwardRequest(name: string, args: readonly ShellWord[]): string | undefined {
  const own = Object.hasOwn(same, name) ? same[name]! : name;
  if (!Object.hasOwn(profiles, own)) return undefined;
  if (args.some((word) => word.problem !== undefined)) return "What it sends is made when the command runs.";
  const values = args.map((word) => word.value);
  const { problem, addresses } = readWords(profiles[own]!, takesValue[own] ?? "", values);
  if (problem !== undefined) return problem;
  for (const address of addresses) {
    const reading = readAddress(address);
    if ("carries" in reading) return reading.carries;
  }
  return own === "xh" && addresses.length > 1 ? "Its words after the address are sent." : undefined;
}
