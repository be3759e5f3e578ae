/** Turns a harmless command into one that tries something: a grammar of tricks, drawn at random. */

const secrets = [
  ...[
    ".env",
    ".e*",
    ".en[v]",
    ".en?",
    "./.env",
    "src/../.env",
    ".ssh/id_ed25519",
    ".ssh/*",
    "deploy.pem",
    "*.pem",
  ],
  ...[
    "config/*",
    "config/credentials.json",
    ".npmrc",
    "~/app/.env",
    "$PWD/.env",
    '"$HOME/app/.env"',
    "away/secret.txt",
  ],
  ...[
    "away/*",
    "current/../../../../../outside/secret.txt",
    "../../outside/secret.txt",
    "src/link.ts",
    "src/l*",
    "@.env",
  ],
  ...[
    "/proc/self/environ",
    ".git/config",
    "tools/..//.env",
    ".env*",
    "backup.tar",
    "b*",
    "{.env,f}",
    ".e\\nv",
    "'.env'",
    '".e"nv',
  ],
];
const options: Record<string, readonly string[]> = {
  find: [
    "-exec alarm {} +",
    "-exec alarm \\;",
    "-exec cat {} +",
    "-delete",
    "-fprint x",
    "-ok alarm \\;",
    "-L",
    "-ls",
    "-printf '%p'",
    "-exec grep -h '' {} +",
    "-exec wc --files0-from=.env {} +",
    "-type f -name '*.env' -exec cat {} \\;",
    "-type f -name '*.ts' -exec cat {} +",
    "-name '*.ts' -o -type f -exec cat {} +",
    "-execdir cat {} +",
    "-print -type f -name '*.ts'",
    "-type f -name '*.ts' -print0",
    "-user nobody",
  ],
  grep: [
    "-f .env",
    "--file=.env",
    "-r '' .",
    "-rh . .",
    "-R",
    "--include=.e*",
    "-C99",
    "-z",
    "-d recurse",
    "--inc=.env",
    "-e ''",
    "-P '(?!x)'",
    "--exclude=x --include='*.ts'",
    "--exclude=.env --include='.e*'",
    "--exclude-from=f --include='*.md'",
    "-ra",
  ],
  sort: [
    "-o x",
    "--output=x",
    "--compress-program=alarm",
    "-T .",
    "--files0-from=.env",
    "-S 1",
    "--comp=alarm",
    "-ox",
  ],
  sed: [
    "-i",
    "-n 'w x'",
    "'1e alarm'",
    "'s/o/alarm/e'",
    "-f f",
    "'r .env'",
    "'R .env'",
    "-s -i",
    "'1!G;h;$!d'",
    "--in-place",
    "-e 'w x'",
    "'s/a/b/w x'",
  ],
  awk: [
    "'{print > \"x\"}'",
    "'{print | \"alarm\"}'",
    "'BEGIN{system(\"alarm\")}'",
    "'{getline < \".env\"; print}'",
    '\'{print $1/"x"|"alarm"/1}\'',
    "-f f",
    "'{print ENVIRON[\"ATTACK_TOKEN\"]}'",
    "-v a=b",
    "'{\"alarm\" | getline}'",
    '\'{print $1 /x/ "alarm" | "sh"}\'',
  ],
  jq: [
    "-n env",
    "-n '$ENV'",
    "-n '$ ENV'",
    "-n '$__prog_args'",
    "-f .env",
    "--slurpfile a .env '$a'",
    "--rawfile a .env -n '$a'",
    "'input_filename'",
    "-n '\"\\(env)\"'",
    "--arg a b",
  ],
  git: [
    "--output=x",
    "-c alias.x='!alarm' x",
    "-C ..",
    "--ext-diff",
    "--textconv",
    "--no-index .env f",
    "config a.b c",
    "config --global a.b c",
    "-O alarm",
    "--git-dir=x",
    "stash",
    "show :.env",
    "diff --no-index / .env",
    "grep -O",
    "branch x",
    "tag x",
    "log --format='%<(9)%s'",
    "checkout .",
    "config --get remote.origin.url",
    "reflog expire --all",
    "describe --always --dirty",
    "diff --text",
    "show HEAD:backup.tar",
  ],
  wc: ["--files0-from=.env", "*", "-- *"],
  du: ["--files0-from=.env", "-X .env", "*"],
  date: ["-f .env", "-s 1", "--file=.env", "-r .env"],
  printf: [
    "-v PATH x",
    "'%n' PATH",
    "'%ln' PATH",
    "'%*d' 1",
    "'%(%s)T'",
    "'%s' \"$ATTACK_TOKEN\"",
    "'%9999999d' 1",
    "-v 'a[$(alarm)]' x",
    "'%d' 'a[$(alarm)]'",
  ],
  xxd: ["f x", "-r f", "-r f x", ".env", "-o 5 f x"],
  tree: ["-o x", "-R -H x", "--fromfile .env"],
  diff: ["--to-file=.env f", "--from-file=.env f", "-r . src", "-N .env f"],
  file: ["-f .env", "-m .env", "-C", "-z f", "--files-from .env"],
  strings: ["@.env", "*", "-a .env"],
  uniq: ["f x", "-c f x", "f -"],
  test: ["-v 'a[$(alarm)]'", "'a[$(alarm)]' -eq 1", "-R x", "1 -eq 'a[$(alarm)]'"],
  "[": ["-v 'a[$(alarm)]' ]", "'x[$(alarm)]' -gt 1 ]"],
  ls: ["*", "$(alarm)", "-R .ssh", "away/"],
  tar: ["--to-command=alarm", "--checkpoint-action=exec=alarm", "-I alarm", "-tf host:f", "xf f"],
  xargs: ["cat", "-I{} alarm {}", "wc --files0-from=.env", "alarm", "-a .env echo"],
  cd: [
    "..",
    "current && cd .. && cat ../../outside/secret.txt",
    "away && cat secret.txt",
    "src/..",
    "-",
    "~",
    ".git",
  ],
  echo: [
    "$ATTACK_TOKEN",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    "${!A*}",
    "*",
    "../*",
    "$'\\x2eenv'",
    "~root",
    "$\\\nATTACK_TOKEN",
    '"$\\\n(alarm)"',
    "$_",
    "$-",
    "$$",
  ],
  set: ["-x", "-o allexport", "-k", "-- a b", "-a"],
  time: ["-o x ls", "-p ls"],
  env: ["-i alarm", "-S alarm", "PATH=tools ls", "cd src"],
  timeout: ["-k 1 1 alarm", "1 cd src", "1 bash -c alarm"],
  bash: ["-c alarm", "-c 'cat .env'", "-x -c ls", "--rcfile f -c ls", "-c 'cat $0' .env"],
};
const pieces = [
  ...[
    "\\\n",
    "\\\n ",
    " \\\n",
    "$(alarm)",
    "`alarm`",
    "<(alarm)",
    ">(alarm)",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    "${x:-$(alarm)}",
    "$((a[$(alarm)]))",
  ],
  ...[
    "$'\\x2eenv'",
    '$"x"',
    "{.env,f}",
    "{a..c}",
    "*",
    "?",
    "[*",
    "~",
    "~+",
    "$HOME",
    "$PWD",
    "$OLDPWD",
    "$_",
    "$0",
    "$@",
  ],
  ...[
    // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
    "${HOME}",
    "'",
    '"',
    "\\",
    "#",
    "!",
    "!!",
    "^a^b",
    "\n",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    "(",
    ")",
    "{ ",
    "; }",
  ],
  ...[
    " > x",
    " >> f",
    " 2> x",
    " &> x",
    " >| f",
    " <> x",
    " < .env",
    " <<< x",
    "<<E\n$(alarm)\nE\n",
    "<<'E'\nx\nE\n",
    " >&x",
  ],
  ...[
    '<<"E"\n$(alarm)\nE\n',
    " <<-E\n\t`alarm`\nE\n",
    "PATH=tools:$PATH ",
    "IFS=a ",
    "BASH_ENV=f ",
    "PS4='$(alarm)' ",
    "CI=1 ",
  ],
  ...[
    "\u200b",
    "\u202e",
    "\u00a0",
    "é",
    "ａ",
    "\r",
    "\t",
    " -- ",
    " - ",
    " -",
    " --",
    "=",
    "a=~",
    "a+=b ",
    "a[0]=x ",
  ],
  ...[
    "; ls",
    "; alarm",
    "| alarm",
    "&& cat f",
    "\nalarm",
    '; for f in .env f; do cat "$f"; done',
    "; for f in * .e*; do cat $f; done",
  ],
  ...[
    " | xargs cat",
    " | xargs -0 head -3",
    "; for i in a; do cd ..; done; ls",
    "; if alarm; then :; fi",
    "; case x in x) alarm;; esac",
    "; f() { alarm; }; f",
    "; x=alarm; $x",
  ],
  ...[
    "; alias ls=alarm; ls",
    "; trap alarm EXIT",
    "; exec 3<.env; cat <&3",
    "; read x < .env; echo $x",
    "; cat 3<.env <&3",
    "; hash -p tools/ls ls; ls",
  ],
  ...[
    "@{u}",
    "@{-1}",
    "@(a|b)",
    "+(x)",
    "!(f)",
    "[[:alpha:]]",
    "[a-z]env",
    "$[1]",
    "((1))",
    "[[ -v a[$(alarm)] ]]",
    "time ",
    "! ",
    "coproc ",
  ],
];

type Random = () => number;

function pickOne<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

function insert(text: string, piece: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  return text.slice(0, at) + piece + text.slice(at);
}

/** Other spellings of one word that mean the same, or nearly. */
function respell(word: string, random: Random): string {
  const at = Math.floor(random() * (word.length + 1));
  const [head, tail] = [word.slice(0, at), word.slice(at)];
  return pickOne(
    [
      `'${word}'`,
      `"${word}"`,
      `\\${word}`,
      `${head}''${tail}`,
      `${head}\\${tail}`,
      `${head}\\\n${tail}`,
      `${head}"${tail}"`,
      `$'${word}'`,
      `"$\\\n(echo ${word})"`,
      `${head}*`,
      `${head}?${tail.slice(1)}`,
      `${head}[${tail.slice(0, 1)}]${tail.slice(1)}`,
      `{${word},f}`,
      `-${word}`,
      `--${word}`,
      `./${word}`,
    ],
    random,
  );
}

function changeWord(text: string, random: Random, change: (word: string) => string): string {
  const words = text.split(" ");
  const at = Math.floor(random() * words.length);
  return words.map((word, index) => (index === at ? change(word) : word)).join(" ");
}

function addOption(text: string, random: Random): string {
  const known = Object.keys(options).filter((name) => text.split(/[ ;|&(]+/).includes(name));
  const name = known.length > 0 ? pickOne(known, random) : pickOne(Object.keys(options), random);
  const option = pickOne(options[name]!, random);
  if (known.length === 0) return `${name} ${option}`;
  return random() < 0.5 ? `${text} ${option}` : text.replace(name, `${name} ${option}`);
}

/** A command with one to three tricks played on it; `another` gives a command to join it with. */
export function mutateCommand(command: string, random: Random, another: () => string): string {
  let text = command;
  for (let left = 1 + Math.floor(random() * 3); left > 0; left -= 1) {
    const trick = random();
    if (trick < 0.22) text = insert(text, pickOne(pieces, random), random);
    else if (trick < 0.42) text = changeWord(text, random, (word) => respell(word, random));
    else if (trick < 0.62) text = changeWord(text, random, () => pickOne(secrets, random));
    else if (trick < 0.85) text = addOption(text, random);
    else if (trick < 0.95) text += pickOne([" | ", "; ", " && ", " || ", "\n", " & "], random) + another();
    else
      text =
        text.slice(0, Math.floor(random() * text.length)) + text.slice(Math.floor(random() * text.length));
  }
  return text;
}
