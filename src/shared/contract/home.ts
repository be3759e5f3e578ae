/** Bringing a thread's worktree home: what it changed, what each way would do, and doing it. */
import { z } from "zod";
import { threadIdSchema } from "../ids.ts";
import { procedure } from "./procedure.ts";

/** Longer lists are cut; counts tell how long they are. */
export const mostHomeFiles = 1_000;
/** What is told of the files that stand against a way. */
export const mostObstacleFiles = 100;

/** `merge`: into the branch of the folder · `rebase`: onto it, which follows · `patch`: into its files alone · `keep`: on its own branch. */
export const homeWaySchema = z.enum(["merge", "rebase", "patch", "keep"]);
export type HomeWay = z.infer<typeof homeWaySchema>;

/** Why a way is closed. */
export const homeObstacleSchema = z.enum([
  "nothing",
  "no-branch",
  "no-target",
  "no-commit",
  "same-branch",
  "checked-out-elsewhere",
  "underway",
  "unrelated",
  "conflicts",
  "in-the-way",
  "cannot-write",
  "forward",
  "too-many",
]);

const countSchema = z.number().int().min(0);
const digestSchema = z.string().min(1).max(200);
const pathSchema = z.string().min(1).max(4_096);

const waySchema = z.union([
  z.strictObject({ files: countSchema, forward: z.boolean() }),
  z.strictObject({ why: homeObstacleSchema, names: z.array(z.string()), namesCount: countSchema }),
]);

export const homeFileSchema = z.strictObject({
  path: z.string(),
  /** Where a moved one was before. */
  movedFrom: z.string().optional(),
  state: z.enum(["added", "changed", "deleted", "moved"]),
  /** Absent where it is no text. */
  lines: z.strictObject({ added: countSchema, removed: countSchema }).optional(),
  /** Its permission to be run changed, or what kind of file it is. */
  modeChanged: z.boolean(),
  committed: z.boolean(),
});

/** Whose version a file in conflict gets. */
export const conflictSideSchema = z.enum(["folder", "thread"]);
export type ConflictSide = z.infer<typeof conflictSideSchema>;

const answersSchema = z
  .array(z.strictObject({ path: pathSchema, side: conflictSideSchema }))
  .max(mostObstacleFiles)
  .optional();

const noTextSchema = z.enum(["binary", "too-large", "submodule", "link"]);

const doneSchema = z.strictObject({ id: z.string(), files: countSchema });
const fileSchema = z.strictObject({ threadId: threadIdSchema, path: pathSchema });

export const homeContract = {
  /** All that the thread's worktree changed, committed or not, and what each way would do. No file and no branch is touched. */
  "home.preview": procedure(
    z.strictObject({ threadId: threadIdSchema, answers: answersSchema }),
    z.strictObject({
      branch: z.string().optional(),
      /** The branch that the person's folder is on. */
      target: z.string().optional(),
      folder: z.string(),
      ahead: countSchema,
      behind: countSchema,
      files: z.array(homeFileSchema),
      filesCount: countSchema,
      uncommitted: countSchema,
      /** Proposed for the commit of what is not committed. */
      message: z.string(),
      ways: z.record(homeWaySchema, waySchema),
      /** What both sides changed. With an answer for each a merge and a patch are open. */
      conflicts: z.array(
        z.strictObject({
          path: z.string(),
          answerable: z.boolean(),
          answer: conflictSideSchema.optional(),
          /** On which sides it is a file at all. */
          sides: z.array(conflictSideSchema),
        }),
      ),
      /** What would push the branch and ask for a pull request, or why there is no such command. Nothing of it runs by itself. */
      pullRequest: z.union([
        z.strictObject({ command: z.string() }),
        z.strictObject({ why: z.enum(["no-branch", "no-remote", "no-gh", "uncommitted", "nothing"]) }),
      ]),
      digest: z.string(),
      /** What was brought home last and can be undone. */
      last: z.strictObject({ ...doneSchema.shape, way: homeWaySchema, at: z.number() }).optional(),
    }),
  ),
  /** Both sides of one file, in the pieces that can be put back. `version` binds what is put back to what was shown. */
  "home.file": procedure(
    fileSchema,
    z.strictObject({
      version: z.string(),
      /** Why no text is shown. */
      why: noTextSchema.optional(),
      hunks: z.array(
        z.strictObject({
          before: z.string(),
          after: z.string(),
          /** The number of its first line, before and after. */
          beforeLine: countSchema,
          afterLine: countSchema,
        }),
      ),
    }),
  ),
  /** Both sides of a file in conflict, each empty where it is not there. */
  "home.conflict": procedure(
    fileSchema,
    z.union([
      z.strictObject({ folder: z.string(), thread: z.string() }),
      z.strictObject({ why: noTextSchema }),
    ]),
  ),
  /** Puts one file, or one hunk of it, back in the worktree; it is undone with `undo.reverse`. A conflict when it is not as shown. */
  "home.putBack": procedure(
    z.strictObject({ ...fileSchema.shape, version: digestSchema, hunk: countSchema.optional() }),
    doneSchema,
  ),
  /** Does what a preview showed; a conflict when anything of it changed meanwhile. All of it is done, or nothing. */
  "home.bring": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      way: homeWaySchema,
      digest: digestSchema,
      message: z.string().trim().min(1).max(10_000),
      /** Those of the preview. */
      answers: answersSchema,
    }),
    doneSchema,
  ),
};
