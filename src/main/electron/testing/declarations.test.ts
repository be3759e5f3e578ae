/** Holds every name in the double, and every event the app listens to, against Electron's own declarations. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import * as app from "./app-double.ts";
import * as electron from "./electron-double.ts";
import * as keychain from "./keychain-double.ts";
import * as port from "./port-double.ts";
import type { Surface } from "./strict.ts";
import * as system from "./system-double.ts";
import * as utility from "./utility-process-double.ts";
import * as windows from "./window-double.ts";

type Declared = { events: Set<string>; members: Set<string> };

/** Classes and interfaces of electron.d.ts, by name. */
function readDeclarations(): Map<string, Declared> {
  const path = join(
    dirname(createRequire(import.meta.url).resolve("electron/package.json")),
    "electron.d.ts",
  );
  const file = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const declared = new Map<string, Declared>();
  const visit = (node: ts.Node): void => {
    if (ts.isModuleDeclaration(node) && node.body) ts.forEachChild(node.body, visit);
    if ((!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node)) || !node.name) return;
    const known = declared.get(node.name.text) ?? { events: new Set(), members: new Set() };
    declared.set(node.name.text, known);
    for (const member of node.members) {
      if (!member.name || !ts.isIdentifier(member.name)) continue;
      known.members.add(member.name.text);
      const event = member.name.text === "on" && eventOf(member);
      if (event) known.events.add(event);
    }
  };
  ts.forEachChild(file, visit);
  return declared;
}

/** The event that an overload of `on` is about. */
function eventOf(member: ts.ClassElement | ts.TypeElement): string | undefined {
  if (!ts.isMethodDeclaration(member) && !ts.isMethodSignature(member)) return undefined;
  const type = member.parameters[0]?.type;
  return type && ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)
    ? type.literal.text
    : undefined;
}

const declared = readDeclarations();
const surfaces = [app, electron, keychain, port, system, utility, windows].flatMap((module) =>
  Object.entries(module).flatMap(([name, value]) => (name.endsWith("Surface") ? [value as Surface] : [])),
);

/** What the sources listen to: every `.on("x")` and `.once("x")`. */
function listenedEvents(): string[] {
  const folder = join(import.meta.dirname, "..");
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const events = new Set<string>();
  for (const path of [...files.map((name) => join(folder, name)), join(folder, "../index.ts")]) {
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
      const [event] = node.arguments;
      if (["on", "once"].includes(node.expression.name.text) && event && ts.isStringLiteral(event))
        events.add(event.text);
    };
    visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  }
  return [...events];
}

/** Heard on Node's process, and the channels of the preload. */
const notElectrons = [
  "message",
  "uncaughtException",
  "unhandledRejection",
  "countersign:connect",
  "countersign:drop",
];

describe("the double of Electron", () => {
  it("was found, with the declarations it is held against", () => {
    expect(surfaces.length).toBeGreaterThan(20);
    expect(declared.get("App")?.events).toContain("before-quit");
    expect(declared.get("BrowserWindow")?.events).not.toContain("before-quit");
  });

  it.each(surfaces.map((one) => [one.name, one] as const))(
    "has of %s only what Electron has",
    (name, { members, events }) => {
      const known = declared.get(name);
      expect(members.filter((member) => !known?.members.has(member))).toEqual([]);
      expect(events.filter((event) => !known?.events.has(event))).toEqual([]);
    },
  );

  it("knows every event the app listens to", () => {
    const fired = new Set(surfaces.flatMap(({ events }) => events));
    const listened = listenedEvents();
    expect(listened.length).toBeGreaterThan(15);
    expect(listened.filter((event) => !fired.has(event) && !notElectrons.includes(event))).toEqual([]);
  });
});
