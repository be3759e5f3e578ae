import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "../setup/project.mjs";

/** The errors with a name of their own that an exported function throws itself and its docstring does not say. */
function findUnsaid(text) {
  const source = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
  return source.statements
    .filter(ts.isFunctionDeclaration)
    .filter((one) => one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap((one) => {
      const said = source.text.slice(one.getFullStart(), one.getStart());
      return thrownIn(one)
        .filter((name) => !new RegExp(`@throws[^@]*\\b${name}\\b`).test(said))
        .map((name) => `${one.name?.text} throws ${name}`);
    });
}

function thrownIn(node) {
  const found = new Set();
  const look = (child) => {
    if (ts.isFunctionLike(child)) return;
    const thrown = ts.isThrowStatement(child) && child.expression;
    if (thrown && ts.isNewExpression(thrown)) found.add(thrown.expression.getText());
    ts.forEachChild(child, look);
  };
  ts.forEachChild(node, look);
  found.delete("Error");
  return [...found];
}

it("knows what an exported function throws, and what its docstring says", () => {
  const throwing = "export function f() { if (x) throw new AError(1); try { throw new Error(); } catch {} }";
  expect(findUnsaid(throwing)).toEqual(["f throws AError"]);
  expect(findUnsaid(`/** @throws AError when x. */ ${throwing}`)).toEqual([]);
  expect(findUnsaid(`/** @throws AErrors */ ${throwing}`)).toEqual(["f throws AError"]);
  expect(findUnsaid("function g() { throw new AError(); }")).toEqual([]);
});

it("finds no exported function that throws an error of its own and does not say so", () => {
  const unsaid = ["src/main", "src/shared"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !/\btesting\b/.test(name))
      .flatMap((name) =>
        findUnsaid(readFileSync(join(root, folder, name), "utf8")).map(
          (what) => `${folder}/${name}: ${what}`,
        ),
      ),
  );
  expect(unsaid).toEqual([]);
});
