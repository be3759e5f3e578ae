/** Commands of ten toolchains over a small folder, for rehearsals: what they do to files is all that matters of them. */

const names = ["a", "b", "sub/c", "sub/d e", "é", "new", "sub/deep/f", "sub"];

/** @param random numbers in [0, 1) @returns a command that may fail, as commands do */
export function makeCommand(random: () => number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const name = () => `'${pick(names)}'`;
  const number = () => Math.floor(random() * 1000);
  const shapes: (() => string)[] = [
    () => `echo ${number()} >> ${name()}`,
    () => `mkdir -p ${name()} && echo ${number()} > ${name()}`,
    () => `rm -rf ${name()}`,
    () => `mv ${name()} ${name()}`,
    () => `cp -r ${name()} ${name()}`,
    () => `chmod ${pick(["644", "755", "600", "444"])} ${name()}`,
    () => `ln -s ${name()} ${name()}`,
    () => `touch ${name()}; truncate -s ${number()} ${name()}`,
    () => `git add -A && git commit -qm ${number()}`,
    () =>
      `git ${pick(["stash -u", "stash pop", "checkout -q .", "clean -fdq", "reset -q --hard HEAD", "gc -q", "status -s"])}`,
    () => `git ${pick(["checkout -q -b", "branch", "tag"])} n${number()}`,
    () =>
      `node -e 'const f=require("fs");f.mkdirSync("out",{recursive:true});f.writeFileSync("out/n${number() % 3}","x".repeat(${number()}))'`,
    () => `node -e 'require("fs").renameSync("${pick(names)}","${pick(names)}")'`,
    () => `npm pkg set --offline version=1.${number()}.0`,
    () => `printf 'out/m: a\\n\\tmkdir -p out; cat a > out/m\\n' > Makefile; make`,
    () => `tar cf ${pick(["t.tar", "out.tar"])} sub ${name()}`,
    () => `mkdir -p x && tar xf t.tar -C x`,
    () => `sed -i 's/[0-9]/${number() % 10}/g' ${name()}`,
    () =>
      `python3 -c 'import os; os.makedirs("py/${number() % 3}", exist_ok=True); open("py/t","wb").write(bytes(${number()}))'`,
    () => `perl -pi -e 's/1/${number()}/' ${name()}`,
    () => `find . -name '${pick(["*.tar", "n*", "f"])}' -not -path './.git/*' -delete`,
    () => `gzip -f ${name()}; gunzip -f ${name()}.gz`,
  ];
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(shapes)()).join("; ");
}
