/** Names, paths and reasons that others may have chosen are drawn by `ForeignText` or `ExactText`, in every view. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const renderer = join(import.meta.dirname, "../../renderer");
/** A value put into the page as it is: alone in a line, or right behind a tag. */
const drawn =
  /(?:^\s*|>)\{((?:\w+\??\.)*(?:name|title|path|command|branch|description|problem|folder|workspace|url|reason))\}/gm;

/** These hold words of the console itself, or are drawn by what they are handed. */
const own = new Set([
  "features/agents/agent-form.tsx title",
  "features/agents/server-test.tsx words.problem",
  "features/auto-approve/auto-approve-dialog.tsx title",
  "features/conversation/header/cost-words.tsx name",
  "features/conversation/tool-card/tool-card.tsx strings.reason",
  "features/first-run/task-step.tsx title",
  "features/models/models-panel.tsx title",
  "features/settings/setting-controls.tsx name",
  "features/settings/fatigue-setting.tsx name",
  "features/settings/uncovered-setting.tsx title",
  "features/side/section.tsx title",
  "features/threads/folder-chooser.tsx title",
  "features/threads/storage-dialog.tsx name",
  "ui/empty-state.tsx title",
  "ui/problem-text.tsx title",
  "ui/unanswered.tsx title",
  "features/agents/agents-view.tsx strings.title",
  "features/approvals/queue-region.tsx title",
  "features/first-run/first-steps.tsx strings.title",
  "features/first-run/step-heading.tsx title",
  "features/home/home-ways.tsx name",
  "features/palette/palette.tsx strings.title",
  "features/settings/settings-view.tsx strings.title",
  "ui/dialog.tsx description",
  "ui/toast.tsx toast.title",
]);

it("draws no name, path or reason bare, where it could turn, break or end a sentence of the console", () => {
  const bare = readdirSync(renderer, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx") && !file.includes(".test."))
    .flatMap((file) => {
      const found = readFileSync(join(renderer, file), "utf8").matchAll(drawn);
      const name = relative(renderer, join(renderer, file)).replaceAll("\\", "/");
      return [...found].map(([, expression]) => `${name} ${expression}`);
    });
  expect(bare.filter((place) => !own.has(place))).toEqual([]);
  expect([...own].filter((place) => !bare.includes(place))).toEqual([]);
});

/** Draw what they are handed as foreign themselves; their titles, leads and hints are the console's own words. */
const problemParts = new Set(["ui/problem-text.tsx", "ui/unanswered.tsx"]);
const ownProps = /^(title|lead|hint|retryLabel)$/;
const isOwnWords = (text: string) => /^(\w*[sS]trings|words|common)\.[\w.]+$/.test(text);

/** What is drawn by an expression and is neither an element nor words of the console. */
function bareIn(node: ts.Expression, isPart: boolean): string[] {
  const of = (one: ts.Expression) => bareIn(one, isPart);
  if (ts.isParenthesizedExpression(node)) return of(node.expression);
  if (ts.isConditionalExpression(node)) return [...of(node.whenTrue), ...of(node.whenFalse)];
  if (ts.isBinaryExpression(node))
    return [
      ...(node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ? [] : of(node.left)),
      ...of(node.right),
    ];
  if (ts.isTemplateExpression(node)) return node.templateSpans.flatMap((span) => of(span.expression));
  // Elements that it makes are visited by themselves.
  if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)) return [];
  if (ts.isStringLiteral(node) || node.getText() === "undefined") return [];
  if (ts.isCallExpression(node) && node.expression.getText().endsWith(".map")) return [];
  if (ts.isCallExpression(node) && isOwnWords(node.expression.getText())) return node.arguments.flatMap(of);
  const text = node.getText();
  const isCount = /(^|\.)(length|line|column|count)$/.test(text);
  return isOwnWords(text) || isCount || (isPart && ownProps.test(text)) ? [] : [text];
}

/** What stands bare in an alert, or as the lead of a problem. */
function bareInAlerts(name: string, text: string): string[] {
  if (!/role="alert|ProblemText/.test(text)) return [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const isPart = problemParts.has(name);
  const found: string[] = [];
  const visit = (node: ts.Node, inAlert: boolean): void => {
    const isAlert =
      inAlert ||
      (ts.isJsxElement(node) && /role="(alert|alertdialog)"/.test(node.openingElement.attributes.getText()));
    if (ts.isJsxExpression(node) && node.expression) {
      const isLead =
        ts.isJsxAttribute(node.parent) &&
        node.parent.name.getText() === "lead" &&
        node.parent.parent.parent.tagName.getText() === "ProblemText";
      const isChild = isAlert && !ts.isJsxAttribute(node.parent);
      if (isChild || isLead)
        found.push(...bareIn(node.expression, isPart || isLead).map((bare) => `${name}: ${bare}`));
    }
    ts.forEachChild(node, (child) => visit(child, isAlert));
  };
  visit(source, false);
  return found;
}

const filesOfPage = () =>
  readdirSync(renderer, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".tsx") && !file.includes(".test."),
  );

it("tells in an alert nothing but words of the console and what is drawn as foreign", () => {
  const read = (file: string) => readFileSync(join(renderer, file), "utf8");
  const named = filesOfPage().map((file) => ({ name: file.replaceAll("\\", "/"), text: read(file) }));
  expect(named.flatMap(({ name, text }) => bareInAlerts(name, text))).toEqual([]);
  expect(named.filter(({ text }) => text.includes('role="alert"')).length).toBeGreaterThan(4);
});

it.each([
  ["a value", "{refused}"],
  ["a choice of two", "{problem ?? unread}"],
  ["a template", ["{`$", "{strings.failed} $", "{problem}`}"].join("")],
  ["a condition", "{problem && problem.text}"],
  ["an argument of own words", "{strings.failed(problem)}"],
  ["what lies in another element", "<ul>{all.map((one) => <li>{one.message}</li>)}</ul>"],
])("finds %s that stands bare in an alert", (_, inside) => {
  expect(bareInAlerts("x.tsx", `const a = <p role="alert">${inside}</p>;`)).not.toEqual([]);
});
