/** Names the shell constructs that change what later words mean, or that two shells read differently. */
import { type CommandNode, forEachChild, type SyntaxNode, type TestExpression, type Word } from "unbash";
import { opaque } from "./bounded/opaque-reasons.ts";

const loopName = /^[a-z][a-z0-9]{0,15}$/;

/** Why a construct always asks, or undefined when only what it holds matters. */
export function describeNodeProblem(node: CommandNode): string | undefined {
  switch (node.type) {
    case "Function":
      return opaque.function;
    case "Coproc":
      return opaque.coprocess;
    case "Select":
      return "A select menu reads its answer from the terminal.";
    case "ArithmeticCommand":
    case "ArithmeticFor":
      return opaque.arithmetic;
    case "For":
      return loopName.test(node.name.text) ? undefined : opaque.loopVariable;
    default:
      return undefined;
  }
}

/** Whether a function's body starts the function itself in a pipeline or in the background. */
export function callsItself(node: Extract<CommandNode, { type: "Function" }>): boolean {
  let calls = 0;
  let spreads = false;
  const visit = (child: SyntaxNode): void => {
    if (child.type === "Command" && child.name?.value === node.name.value) calls += 1;
    if (child.type === "Pipeline" && child.commands.length > 1) spreads = true;
    if (child.type === "Statement" && child.background) spreads = true;
    forEachChild(child, visit);
  };
  forEachChild(node.body, visit);
  return calls > 0 && spreads;
}

/** Why a construct means something else to a plain `sh` than to bash, which is what was parsed. */
export function describeDialectProblem(node: SyntaxNode, dialect: "bash" | "sh"): string | undefined {
  if (dialect === "bash") return undefined;
  const bashOnly =
    node.type === "TestCommand" ||
    node.type === "HereString" ||
    (node.type === "Redirect" && (node.operator === "&>" || node.operator === "&>>"));
  return bashOnly ? "sh reads this in another way than bash does." : undefined;
}

/** The words of a `[[ ]]` test in order, operators as plain text. */
export function describeTestWords(node: Extract<CommandNode, { type: "TestCommand" }>): (string | Word)[] {
  const words: (string | Word)[] = [];
  const visit = (expression: TestExpression): void => {
    switch (expression.type) {
      case "TestUnary":
        words.push(expression.operator, expression.operand);
        return;
      case "TestBinary":
        words.push(expression.left, expression.operator, expression.right);
        return;
      case "TestLogical":
        for (const operand of expression.operands) visit(operand);
        return;
      case "TestNot":
        visit(expression.operand);
        return;
      case "TestGroup":
        visit(expression.expression);
    }
  };
  visit(node.expression);
  return words;
}
