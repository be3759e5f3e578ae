import type { Output } from "../../../shared/contract/contract.ts";

/** A tool that an agent may be given: one of ours, or of a server it names. */
export type KnownTool = Output<"agents.list">["tools"][number];
