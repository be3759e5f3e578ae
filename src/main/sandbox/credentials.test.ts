import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hiddenBy, outermost, placesToHide } from "./hidden-places.ts";

function makeHome(...files: string[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "countersign-credentials-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "x");
  }
  const found = (env: NodeJS.ProcessEnv = {}, workspace = join(root, "home/w")) =>
    outermost(
      placesToHide({
        ...{ home: join(root, "home"), workspace },
        hidden: hiddenBy({ hiddenPaths: [], hideHome: false }, env),
      }),
    )
      .filter((path) => path.startsWith(root))
      .map((path) => path.slice(root.length + 1))
      .toSorted();
  return { root, found };
}

it("finds what is kept in the home, links followed, and names nothing that is not there", () => {
  const { root, found } = makeHome(
    "home/.aws/credentials",
    "home/.config/gh/hosts.yml",
    "kept/key",
    "home/.config/x",
  );
  symlinkSync(join(root, "kept"), join(root, "home/.ssh"));
  expect(found()).toEqual(["home/.aws", "home/.config/gh", "kept"]);
});

it("finds by name too what programs keep in folders of their own, and takes one with many for a place of keys", () => {
  const many = Array.from({ length: 9 }, (_, at) => `home/.config/prog/${at}.pem`);
  const { found } = makeHome(
    ...[
      "home/.qwen/auth.json",
      "home/.local/share/prog/secrets",
      "home/.local/bin/token",
      "home/plain/a.pem",
    ],
    ...["home/.config/prog/deep/a.pem", "home/.foo/.yarnrc", "home/.foo/notes.md", ...many],
  );
  expect(found()).toEqual(["home/.config/prog", "home/.local/share/prog/secrets", "home/.qwen/auth.json"]);
});

it("finds what the environment says is kept elsewhere", () => {
  const { root, found } = makeHome(
    "xdg/gh/hosts.yml",
    "xdg/x",
    "cargo/credentials.toml",
    "a.conf",
    "b.conf",
    "codex/auth.json",
  );
  const env = {
    XDG_CONFIG_HOME: join(root, "xdg"),
    CARGO_HOME: join(root, "cargo"),
    CODEX_HOME: join(root, "codex"),
    KUBECONFIG: `${join(root, "a.conf")}:${join(root, "b.conf")}:relative`,
  };
  expect(found(env)).toEqual(["a.conf", "b.conf", "cargo/credentials.toml", "codex/auth.json", "xdg/gh"]);
});

it("leaves a device alone that is named in the place of a file", () => {
  const hidden = hiddenBy({ hiddenPaths: ["/dev/zero"], hideHome: false }, { HISTFILE: "/dev/null" });
  const places = placesToHide({ home: "/nowhere", workspace: "/nowhere/w", hidden });
  expect(places.filter((path) => path.startsWith("/dev"))).toEqual([]);
});

it("does not take the workspace away with a folder around it", () => {
  const { root, found } = makeHome("home/w/a", "home/.aws/credentials");
  expect(found({ DOCKER_CONFIG: join(root, "home") })).toEqual(["home/.aws"]);
  expect(found({ DOCKER_CONFIG: join(root, "home/w") })).toEqual(["home/.aws"]);
});

it("finds by name what no list of places has, but no settings that a program does not start without", () => {
  const { found } = makeHome(
    ...["home/vault.kdbx", "home/.netrc.bak", "home/.zhistory", "home/.config/x.pem", "home/.curlrc"],
    ...["home/.local/share/auth.json", "home/notes.md", "home/keys/a.pem", "home/.yarnrc.yml", "home/.envrc"],
  );
  expect(found()).toEqual([
    "home/.config/x.pem",
    "home/.local/share/auth.json",
    "home/.netrc.bak",
    "home/.zhistory",
    "home/vault.kdbx",
  ]);
});
