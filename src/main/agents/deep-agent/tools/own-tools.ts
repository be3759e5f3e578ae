/** The tools beside those of the packages that every agent has, ours and the governed ones of others. */
import type { StructuredTool } from "@langchain/core/tools";
import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { z } from "zod";
import { mostChoices } from "../../../../shared/contract/subjects.ts";
import { textOrJson } from "../../../base/text-or-json.ts";
import type { WorkspaceBackend } from "../workspace-backend.ts";

/** @param backend through which each of their effects goes */
export function createOwnTools(backend: Pick<WorkspaceBackend, "move">): StructuredTool[] {
  return [askHuman as unknown as StructuredTool, createMoveFile(backend)];
}

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

/** The answer stands as the tool's result. */
export const askHuman = tool(
  ({ question, choices }) => {
    return textOrJson(interrupt({ question, ...(choices && { choices }) }));
  },
  {
    name: "ask_human",
    description:
      "Ask the person a question and wait for the answer. Use it when you cannot go on without them.",
    schema: z.object({
      question: z.string().describe("The question, complete and in plain words"),
      choices: z
        .array(z.string())
        .optional()
        .describe(`Up to ${mostChoices} short answers to offer; the person may write another one`),
    }),
  },
);
