/** Words that others chose are drawn by ForeignText or ExactText alone, and spelled out where only a plain string can stand. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../renderer");
/** Fields of the contract that hold what an agent, a tool, a repository or a person elsewhere wrote. */
const foreign =
  /^(threadTitle|agentPath|reason|tool|cwd|workspace|description|question|shape|snippet|toolName|server|problem|refused|unread|failure|message)$/;
/** Attributes that draw or tell a plain string. */
const drawnAttributes = new Set(["title", "aria-label", "label", "placeholder", "alt"]);
/** A title is foreign when it is one of a thread. */
const isForeign = (node: ts.PropertyAccessExpression) =>
  !/^(\w*[sS]trings|words|common|auto)\b/.test(node.expression.getText()) &&
  (foreign.test(node.name.text) || /(^|\.)thread\.title$/.test(node.getText()));
/** Where a view keeps the words of the console. */
const ownWords = /^(\w*[sS]trings|words|common)\./;
const spelledOut = /^(spellOut|lastSegment|shortenPath)$/;

/** The raw uses in an expression that is drawn; conditions are not drawn, and other components draw by themselves. */
function findRaw(node: ts.Expression): string[] {
  if (ts.isPropertyAccessExpression(node)) return isForeign(node) ? [node.getText()] : [];
  if (ts.isIdentifier(node)) return foreign.test(node.text) ? [node.text] : [];
  if (ts.isConditionalExpression(node)) return [...findRaw(node.whenTrue), ...findRaw(node.whenFalse)];
  if (ts.isBinaryExpression(node)) {
    const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
    const isCompared = [
      ts.SyntaxKind.EqualsEqualsEqualsToken,
      ts.SyntaxKind.ExclamationEqualsEqualsToken,
    ].includes(node.operatorToken.kind as ts.SyntaxKind.EqualsEqualsEqualsToken);
    if (isCompared) return [];
    return [...(isAnd ? [] : findRaw(node.left)), ...findRaw(node.right)];
  }
  if (ts.isTemplateExpression(node)) return node.templateSpans.flatMap((span) => findRaw(span.expression));
  if (ts.isParenthesizedExpression(node)) return findRaw(node.expression);
  if (ts.isCallExpression(node)) {
    if (spelledOut.test(node.expression.getText()))
      return node.expression.getText() === "spellOut" ? [] : node.arguments.flatMap(findRaw);
    return ownWords.test(node.expression.getText()) ? node.arguments.flatMap(findRaw) : [];
  }
  return [];
}

function rawUses(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxExpression(node) && node.expression) {
      const { parent } = node;
      const drawn = !ts.isJsxAttribute(parent) || isDrawn(parent);
      if (drawn)
        for (const raw of findRaw(node.expression)) found.push(`${file.slice(root.length + 1)}: ${raw}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Of an element; what a component of ours does with it, that component answers for. */
function isDrawn(attribute: ts.JsxAttribute): boolean {
  const element = attribute.parent.parent.tagName.getText();
  return /^[a-z]/.test(element) && drawnAttributes.has(attribute.name.getText());
}

it("nothing draws foreign words raw", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    // The dialog draws what its callers put together.
    (file) => file.endsWith(".tsx") && !file.includes(".test.") && file !== join("ui", "dialog.tsx"),
  );
  expect(files.flatMap((file) => rawUses(join(root, file)))).toEqual([]);
});
