/** What a message can begin with, of the texts that a person trusts: bounded, one of a name, and never another's in place of their own. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listCommandFiles, readCommands } from "./command-files.ts";

const file = (name: string, text: string) => ({ file: `.agents/commands/${name}.md`, text });
const skill = (name: string, text: string) => ({ file: `.claude/skills/${name}/SKILL.md`, text });

describe("readCommands", () => {
  it("takes the text without its head, and what it is about from there or from the first line", () => {
    const folder = [
      file(
        "review",
        '---\r\ndescription: "Look at $ARGUMENTS"\r\nmodel: any\r\n---\r\n# Review\r\nLook.\r\n',
      ),
      file("plain", "# Ship it\nAll of it."),
      file("open", "---\ndescription: never closed"),
      file("empty", "---\ndescription: nothing\n---\n \n"),
      skill("ship", "---\nname: ship\ndescription: Ships it.\n---\nSteps"),
      { file: "AGENTS.md", text: "Be brief." },
    ];
    expect(readCommands({ own: [], folder })).toEqual([
      {
        name: "review",
        from: "folder",
        file: ".agents/commands/review.md",
        about: "Look at $ARGUMENTS",
        text: "# Review\r\nLook.",
      },
      {
        name: "plain",
        from: "folder",
        file: ".agents/commands/plain.md",
        about: "Ship it",
        text: "# Ship it\nAll of it.",
      },
      expect.objectContaining({ name: "open", about: "---", text: "---\ndescription: never closed" }),
      {
        name: "ship",
        from: "skill",
        file: ".claude/skills/ship/SKILL.md",
        about: "Ships it.",
        text: "Use the skill ship: read .claude/skills/ship/SKILL.md and follow it.",
      },
    ]);
  });

  it("lets no folder take the name of one's own, and no skill that of a command", () => {
    const own = [file("ship", "mine")];
    const folder = [file("ship", "theirs"), file("test", "command"), skill("test", ""), skill("ship", "")];
    expect(readCommands({ own, folder }).map(({ name, text }) => [name, text])).toEqual([
      ["ship", "mine"],
      ["test", "command"],
    ]);
  });

  it("sends the words of one's own skill, which may take the name of a folder's command and not of one's own", () => {
    const own = [
      skill("ship", "x"),
      skill("lint", "---\ndescription: Lints.\n---\nRun it.\n"),
      file("ship", "mine"),
    ];
    const folder = [file("lint", "theirs"), skill("lint", "theirs")];
    expect(readCommands({ own: [...own, skill("empty", "---\n---\n")], folder })).toEqual([
      expect.objectContaining({ name: "ship", text: "mine" }),
      {
        name: "lint",
        from: "own",
        file: ".claude/skills/lint/SKILL.md",
        about: "Lints.",
        text: "Follow the skill lint (~/.claude/skills/lint/SKILL.md):\n\nRun it.",
      },
    ]);
  });

  it("leaves out what is too long in bytes, alone or together", () => {
    const wide = "天".repeat(11_000);
    expect(readCommands({ own: [file("wide", wide)], folder: [] })).toEqual([]);
    const many = Array.from({ length: 60 }, (_, at) => file(`n${at}`, "x".repeat(30_000)));
    const found = readCommands({ own: [file("last", "mine")], folder: many });
    expect(found[0]?.name).toBe("last");
    expect(Buffer.byteLength(JSON.stringify(found))).toBeLessThan(1_100_000);
    expect(found.length).toBeGreaterThan(20);
    expect(found.length).toBeLessThan(40);
  });
});

describe("listCommandFiles", () => {
  let base: string;
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "countersign-commands-"));
    await mkdir(join(base, "project/.agents/commands/folder.md"), { recursive: true });
  });
  afterEach(() => rm(base, { recursive: true }));

  it("finds Markdown files of the folder itself, at most two hundred", async () => {
    const root = join(base, "project");
    const put = (name: string) => writeFile(join(root, ".agents/commands", name), "text");
    await Promise.all(["b.md", "a.md", "notes.txt", ".md"].map(put));
    expect(listCommandFiles(root)).toEqual([".agents/commands/a.md", ".agents/commands/b.md"]);
    await Promise.all(Array.from({ length: 250 }, (_, at) => put(`n${at}.md`)));
    expect(listCommandFiles(root).length).toBeLessThanOrEqual(200);
  });

  it("follows no link out of the folder", async () => {
    const root = join(base, "project");
    await writeFile(join(base, "secret.md"), "key");
    await symlink(join(base, "secret.md"), join(root, ".agents/commands/secret.md"));
    expect(listCommandFiles(root)).toEqual([]);
  });
});
