/** Words that others chose are drawn by ForeignText or ExactText alone, and spelled out where only a plain string can stand. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../renderer");
/** Fields of the contract that hold what an agent, a tool, a repository or a person elsewhere wrote. */
const foreign =
  /^(threadTitle|agentPath|reason|tool|cwd|workspace|description|question|shape|snippet|toolName|server|problem|refused|unread|failure|message)$/;
/** What else is named by others, where it is handed on: in a template, or to words of the console that quote it. */
const named = /^(name|path|command|file|folder|model|branch)$/;
/** Attributes that draw or tell a plain string. */
const drawnAttributes = new Set(["title", "aria-label", "label", "placeholder", "alt"]);
/** Draw or tell the words they are handed as foreign themselves. */
const drawForeign =
  /^(Button|IconButton|Switch|Select|TextField|TextArea|SearchField|ReadField|\w*Dialog|ErrorState|ProblemList|Unanswered)$/;
/** Are put together of spelled out words, or hold what the console itself names. */
const ownPlaces = new Set([
  "features/approvals/rehearsed-part.tsx: folder",
  "features/conversation/composer/partner-select.tsx: name",
  "features/settings/data-check.tsx: name",
  "features/settings/data-check.tsx: state.progress.name",
]);
/** A title is foreign when it is one of a thread. */
const isForeign = (node: ts.PropertyAccessExpression, quoted: boolean) =>
  !/^(\w*[sS]trings|words|common|auto)\b/.test(node.expression.getText()) &&
  (foreign.test(node.name.text) ||
    (quoted && named.test(node.name.text)) ||
    /(^|\.)thread\.title$/.test(node.getText()));
/** Where a view keeps the words of the console. */
const ownWords = /^(\w*[sS]trings|words|common)\./;
const spelledOut = /^(spellOut|lastSegment|shortenPath)$/;

/** The raw uses in an expression that is drawn; conditions are not drawn, and other components draw by themselves. */
function findRaw(node: ts.Expression, quoted = false): string[] {
  if (ts.isPropertyAccessExpression(node)) return isForeign(node, quoted) ? [node.getText()] : [];
  if (ts.isIdentifier(node))
    return foreign.test(node.text) || (quoted && named.test(node.text)) ? [node.text] : [];
  if (ts.isConditionalExpression(node))
    return [node.whenTrue, node.whenFalse].flatMap((one) => findRaw(one, quoted));
  if (ts.isBinaryExpression(node)) {
    const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    const isCompared = [
      ts.SyntaxKind.EqualsEqualsEqualsToken,
      ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ].includes(node.operatorToken.kind as ts.SyntaxKind.EqualsEqualsEqualsToken);
    if (isCompared) return [];
    return [...(isAnd ? [] : findRaw(node.left, quoted)), ...findRaw(node.right, quoted)];
  }
  const inside = (one: ts.Expression) => findRaw(one, true);
  if (ts.isTemplateExpression(node)) return node.templateSpans.flatMap((span) => inside(span.expression));
  if (ts.isParenthesizedExpression(node)) return findRaw(node.expression, quoted);
  if (ts.isCallExpression(node)) {
    if (spelledOut.test(node.expression.getText()))
      return node.expression.getText() === "spellOut" ? [] : node.arguments.flatMap(inside);
    return ownWords.test(node.expression.getText()) ? node.arguments.flatMap(inside) : [];
  }
  return [];
}

/** @param text of the file; what it draws raw is told with its name. */
function rawUses(file: string, text = readFileSync(join(root, file), "utf8")): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxExpression(node) && node.expression) {
      const { parent } = node;
      const drawn = !ts.isJsxAttribute(parent) || isDrawn(parent);
      const isProp = ts.isJsxAttribute(parent);
      if (drawn)
        for (const raw of findRaw(node.expression, isProp))
          found.push(`${file.replaceAll("\\", "/")}: ${raw}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Of an element, or of a component that hands it on to one. */
function isDrawn(attribute: ts.JsxAttribute): boolean {
  const element = attribute.parent.parent.tagName.getText();
  return !drawForeign.test(element) && drawnAttributes.has(attribute.name.getText());
}

it("nothing draws foreign words raw", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    // The dialog draws what its callers put together.
    (file) => file.endsWith(".tsx") && !file.includes(".test.") && file !== join("ui", "dialog.tsx"),
  );
  const raw = files.flatMap((file) => rawUses(file));
  expect(raw.filter((place) => !ownPlaces.has(place))).toEqual([]);
  expect([...ownPlaces].filter((place) => !raw.includes(place))).toEqual([]);
});

it.each([
  ["a template", ["<p>{`$", "{branch} of ours`}</p>"].join("")],
  ["words of the console that quote it", "<p>{strings.opens(file)}</p>"],
  ["the name of an element", "<section aria-label={strings.of(server.name)} />"],
  ["the hint of an element", "<p title={path} />"],
  ["a prop of a component that draws it", "<Row label={one.command} />"],
])("finds a name that stands raw in %s", (_, view) => {
  expect(rawUses("x.tsx", `const a = ${view};`)).toHaveLength(1);
});
