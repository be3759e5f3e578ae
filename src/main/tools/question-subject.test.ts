import { describe, expect, it } from "vitest";
import { toQuestionSubject } from "./question-subject.ts";

const asked = (value: unknown) => toQuestionSubject(value);

describe("a question", () => {
  it.each(["choices", "options"])("offers its %s as answers, in their order", (name) => {
    expect(asked({ question: "Which region?", [name]: ["eu-west-1", "us-east-1"] })).toEqual({
      kind: "question",
      question: "Which region?",
      wants: "text",
      choices: [{ answer: "eu-west-1" }, { answer: "us-east-1" }],
    });
  });

  it("says what the asker says about each answer", () => {
    const options = [{ label: "eu", description: "Near the orders" }, { label: "us" }];
    expect(asked({ question: "Where?", options })).toMatchObject({
      choices: [{ answer: "eu", about: "Near the orders" }, { answer: "us" }],
    });
  });

  it("hides nothing of what came with it", () => {
    const { question, choices } = asked({ question: "Where?", choices: ["eu", "us"], budget: 40 });
    expect(choices).toHaveLength(2);
    expect(question).toBe('Where?\n\n{\n  "budget": 40\n}');
  });

  const many = Array.from({ length: 10 }, (_, at) => `answer ${at}`);
  it.each([
    ["none", []],
    ["more than there are keys for", many],
    ["two that read alike", ["eu", "eu "]],
    ["one of blanks", ["eu", "  "]],
    ["one that is a text to read", ["eu", "x".repeat(201)]],
    ["one that would send something else than it says", [{ label: "eu", value: "us" }]],
    ["something else", "eu or us"],
    ["no list", { eu: 1 }],
  ])("with %s as choices shows them as they came, with no button", (_what, choices) => {
    const subject = asked({ question: "Where?", choices });
    expect(subject).not.toHaveProperty("choices");
    expect(subject.wants).toBe("text");
    expect(JSON.parse(subject.question.slice("Where?".length))).toEqual({ choices });
  });

  it.each([
    ["a string", "Go on?", "Go on?", "text"],
    ["anything else", { pick: [1] }, '"pick"', "json"],
  ] as const)("can be %s", (_what, value, shown, wants) => {
    const subject = asked(value);
    expect(subject.question).toContain(shown);
    expect(subject).toMatchObject({ wants });
  });
});
