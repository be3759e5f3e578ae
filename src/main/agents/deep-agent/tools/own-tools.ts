/** The tools beside those of the packages that every agent has, ours and the governed ones of others. */
import type { StructuredTool } from "@langchain/core/tools";
import type { WorkspaceBackend } from "../workspace-backend.ts";
import { askHuman } from "./ask-human.ts";
import { createMoveFile } from "./move-file.ts";

/** @param backend through which each of their effects goes */
export function createOwnTools(backend: Pick<WorkspaceBackend, "move">): StructuredTool[] {
  return [askHuman as unknown as StructuredTool, createMoveFile(backend)];
}
