/** Workspace folders: opening, trusting, looking inside for a mention, and what a thread changed in one. */
import { z } from "zod";
import { threadIdSchema } from "../ids.ts";
import { fileDiffSchema } from "./approvals.ts";
import { procedure } from "./procedure.ts";

export const workspaceSchema = z.strictObject({
  path: z.string(),
  name: z.string(),
  trusted: z.boolean(),
  lastUsedAt: z.number(),
  /** Files of a trusted folder that steer agents and changed since a person looked at them; they hold back. */
  changed: z.array(z.string()).optional(),
});
export type Workspace = z.infer<typeof workspaceSchema>;

/** Stands for the person's own instructions and commands, which lie in their home, where else the path of a folder stands. */
export const ownPlace = "~";

const pathOnly = z.strictObject({ path: z.string().min(1).max(4_096) });
const digestSchema = z.string().max(200);

export const workspacesContract = {
  "workspaces.list": procedure(
    z.strictObject({}),
    z.strictObject({
      workspaces: z.array(workspaceSchema),
      home: z.string(),
      /** What the person keeps in their home for agents of all folders; its path is `ownPlace`. Absent where there is none. */
      own: workspaceSchema.optional(),
    }),
  ),
  "workspaces.open": procedure(pathOnly, workspaceSchema),
  /** Opens the system's folder dialog where there is one; `null` when the person cancelled. */
  "workspaces.pick": procedure(z.strictObject({}), z.strictObject({ path: z.string().nullable() })),
  /** Lists the folders below a path, for choosing one where no system dialog exists. */
  "workspaces.browse": procedure(
    pathOnly,
    z.strictObject({
      path: z.string(),
      parent: z.string().nullable(),
      folders: z.array(z.string()),
      drives: z.array(z.string()),
      writable: z.boolean(),
    }),
  ),
  /** Trust is given to what `workspaces.review` showed, by its digest: a conflict when the folder says something else. */
  "workspaces.setTrust": procedure(
    z.discriminatedUnion("trusted", [
      z.strictObject({ ...pathOnly.shape, trusted: z.literal(true), digest: digestSchema }),
      z.strictObject({ ...pathOnly.shape, trusted: z.literal(false) }),
    ]),
    workspaceSchema,
  ),
  /** What a folder's rules, instructions, skills and commands say that the person did not trust yet: all of it, or what changed since. */
  "workspaces.review": procedure(
    pathOnly,
    z.strictObject({
      digest: z.string(),
      files: z.array(fileDiffSchema),
      /** Why not all of it is here, and what to do about it, in a sentence. */
      tooMuch: z.string().optional(),
    }),
  ),
  /** The person looked at what the digest stands for; a conflict when it changed meanwhile. */
  "workspaces.accept": procedure(
    z.strictObject({ ...pathOnly.shape, digest: digestSchema }),
    z.strictObject({}),
  ),
  "files.search": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      query: z.string().max(200),
      limit: z.number().int().min(1).max(100).default(30),
    }),
    /** `secrets`: how many more would fit, but may hold secrets by their names. */
    z.strictObject({ paths: z.array(z.string()), secrets: z.number().int().default(0) }),
  ),
  "files.changed": procedure(
    z.strictObject({ threadId: threadIdSchema }),
    z.strictObject({
      files: z.array(
        z.strictObject({
          path: z.string(),
          state: z.enum(["added", "changed", "deleted", "moved"]),
          /** Where a moved one was before this thread. */
          movedFrom: z.string().optional(),
          added: z.number().int(),
          removed: z.number().int(),
          /** A command had a part in it. */
          byCommand: z.boolean(),
          /** Whether it can be put back, or why not: the version before was not kept, something else changed it too, or it cannot be read. */
          putBack: z.enum(["possible", "not-kept", "changed-since", "unreadable"]),
        }),
      ),
      /** Commands may have changed more: the folder was too large to be looked at whole. */
      incomplete: z.boolean(),
    }),
  ),
  "files.diff": procedure(
    z.strictObject({ threadId: threadIdSchema, path: z.string().max(4_096) }),
    fileDiffSchema,
  ),
  /**
   * Opens a file in the person's editor, or shows it or the workspace (an empty path) in the file manager.
   * `done` is "folder" too where opening the file might run it.
   */
  "files.open": procedure(
    z.strictObject({
      threadId: threadIdSchema,
      path: z.string().max(4_096),
      how: z.enum(["editor", "folder"]),
    }),
    z.strictObject({ done: z.enum(["editor", "folder"]) }),
  ),
  "files.revert": procedure(
    z.strictObject({ threadId: threadIdSchema, path: z.string().max(4_096) }),
    z.strictObject({}),
  ),
};
