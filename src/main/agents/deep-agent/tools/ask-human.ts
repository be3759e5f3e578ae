/** A tool with which an agent asks the person a question and waits for the answer. */
import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { z } from "zod";
import { mostChoices } from "../../../../shared/contract/subjects.ts";

/** The answer stands as the tool's result. */
export const askHuman = tool(
  ({ question, choices }) => {
    const answer: unknown = interrupt({ question, ...(choices && { choices }) });
    return typeof answer === "string" ? answer : JSON.stringify(answer);
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
