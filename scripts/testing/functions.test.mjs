/** Holds what CONTRIBUTING says of files and functions: the first line, docstrings, the errors these name, and length. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "../setup/project.mjs";

/** The aim is half of it; a longer one does more than its line says. */
const mostLines = 80;

const parse = (text, name = "a.ts") => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

/** Exported functions and constants that are functions, each with the text in front of it. */
function exportedFunctions(source) {
  return source.statements
    .filter((one) => one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap((one) => {
      const said = source.text.slice(one.getFullStart(), one.getStart());
      if (ts.isFunctionDeclaration(one)) return [{ name: one.name?.text, body: one, said }];
      if (!ts.isVariableStatement(one)) return [];
      return one.declarationList.declarations
        .filter(({ initializer }) => initializer && ts.isArrowFunction(initializer))
        .map(({ name, initializer }) => ({ name: name.getText(), body: initializer, said }));
    });
}

/** The errors with a name of their own that an exported function throws itself and its docstring does not say. */
function findUnsaid(source) {
  return exportedFunctions(source).flatMap(({ name, body, said }) =>
    thrownIn(body)
      .filter((error) => !new RegExp(`@throws[^@]*\\b${error}\\b`).test(said))
      .map((error) => `${name} throws ${error}`),
  );
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

function findSilent(source) {
  return exportedFunctions(source)
    .filter(({ body }) => ts.getJSDocCommentsAndTags(body).length === 0)
    .map(({ name }) => `${name} has no docstring`);
}

function findLong(source) {
  const long = [];
  const lineOf = (place) => source.getLineAndCharacterOfPosition(place).line;
  const look = (node) => {
    const lines = lineOf(node.end) - lineOf(node.getStart()) + 1;
    if (ts.isFunctionLike(node) && node.body && lines > mostLines)
      long.push(`${(node.name ?? node.parent.name)?.getText()} has ${lines} lines`);
    ts.forEachChild(node, look);
  };
  look(source);
  return long;
}

function findHeadless(source) {
  return source.text.startsWith("/**") ? [] : ["has no first line"];
}

/** What a docstring says of results and errors as a sentence and not by its tag, so that no editor shows it. */
function findTold(source) {
  const docs = source.text.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return docs.flatMap((doc) => doc.match(/(?:^\/\*\*|[.:;)] |\n\s*\*) ?(?:Throws|Returns) .*/g) ?? []);
}

const finders = [findUnsaid, findSilent, findLong, findHeadless, findTold];
let looked;

/** Each file of code that is no test, with what each finder finds in it: read and parsed once, since that takes longest. */
function lookAtAll() {
  return ["src", "bench", "e2e"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\btesting\b/.test(name))
      .map((name) => {
        const source = parse(readFileSync(join(root, folder, name), "utf8"), name);
        const file = `${folder}/${name}`.replaceAll("\\", "/");
        return { file, found: new Map(finders.map((find) => [find, find(source)])) };
      }),
  );
}

/** @returns what `find` finds in the code of these folders that is no test. */
function findIn(folders, find) {
  looked ??= lookAtAll();
  return looked
    .filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .flatMap(({ file, found }) => found.get(find).map((what) => `${file}: ${what}`));
}

it("knows what an exported function throws, and what its docstring says", () => {
  const throwing = "export function f() { if (x) throw new AError(1); try { throw new Error(); } catch {} }";
  expect(findUnsaid(parse(throwing))).toEqual(["f throws AError"]);
  expect(findUnsaid(parse(`/** @throws AError when x. */ ${throwing}`))).toEqual([]);
  expect(findUnsaid(parse(`/** @throws AErrors */ ${throwing}`))).toEqual(["f throws AError"]);
  expect(findUnsaid(parse("function g() { throw new AError(); }"))).toEqual([]);
});

it("knows which exported functions say nothing, and which are too long", () => {
  const two =
    "import a from 'a';\n/** Says. */\nexport function f() {}\nexport const g = () => 1;\nfunction h() {}";
  expect(findSilent(parse(two))).toEqual(["g has no docstring"]);
  expect(findSilent(parse("const a = 1;\nexport const b = a;\nexport async function f() {}"))).toEqual([
    "f has no docstring",
  ]);
  const ofLines = (count) => `const f = () => {${"\n".repeat(count - 1)}};`;
  expect(findLong(parse(ofLines(mostLines)))).toEqual([]);
  expect(findLong(parse(ofLines(mostLines + 1)))).toEqual([`f has ${mostLines + 1} lines`]);
});

it("finds no file that does not begin with what is true of it", () => {
  expect(findHeadless(parse("import a from 'a';\n/** Says what it is. */"))).toEqual(["has no first line"]);
  expect(findIn(["src"], findHeadless)).toEqual([]);
});

it("finds no exported function of the host that throws an error of its own and does not say so", () => {
  expect(findIn(["src/main", "src/shared"], findUnsaid)).toEqual([]);
});

it("finds no docstring that tells of results and errors without their tags", () => {
  expect(findTold(parse("/** Reads. Throws an Error. */\n/** Returns it. */"))).toHaveLength(2);
  expect(findTold(parse("/** Reads what it throws. @throws when not. @returns it. */\n// Returns"))).toEqual(
    [],
  );
  expect(findIn(["src", "bench", "e2e"], findTold)).toEqual([]);
});

it("finds no exported function of the host without a docstring", () => {
  expect(findIn(["src/main", "src/shared"], findSilent)).toEqual([]);
});

it("finds no function with more lines than one that does one thing", () => {
  expect(findIn(["src"], findLong)).toEqual([]);
});
