/** What an agent asks the person: the card is the question with its answers, whoever the agent is. */
import { toFormSubject, toQuestionSubject } from "../question-subject.ts";
import type { ToolBehaviour } from "../tool-behaviour.ts";

export const questionKind: ToolBehaviour = {
  isFree: true,
  // Nothing happens by it that could be judged.
  async judge() {
    return { verdict: { verdict: "new", units: [] } };
  },
  async describe({ tool, args }) {
    return {
      subject: toFormSubject(args) ?? toQuestionSubject(args),
      shape: `question ${tool}`,
      baseHash: undefined,
    };
  },
};
