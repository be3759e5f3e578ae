/** A tool that gives a file another place or name; the packages have none. */
import type { StructuredTool } from "@langchain/core/tools";
import { tool } from "langchain";
import { z } from "zod";
import type { WorkspaceBackend } from "../workspace-backend.ts";

/** A failure is the tool's answer and never thrown. */
export function createMoveFile(backend: Pick<WorkspaceBackend, "move">): StructuredTool {
  const moveFile = tool(
    async ({ file_path, new_path }) => {
      const end = await backend.move(file_path, new_path);
      // As the other file tools report a failure.
      return "error" in end ? `Error: ${end.error}` : `Moved ${file_path} to ${new_path}.`;
    },
    {
      name: "move_file",
      description:
        "Move or rename one file; missing folders are made. Nothing is replaced: it fails when something is at the new path. Folders are not moved. Prefer it over mv in a command.",
      schema: z.object({
        file_path: z.string().min(1).describe("The file as it is now"),
        new_path: z.string().min(1).describe("Its whole new path, with the file's name"),
      }),
    },
  );
  return moveFile as unknown as StructuredTool;
}
