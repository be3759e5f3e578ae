/** Says in one line what a call is about; every list, title, notification and record says it by this code. */
import type { Subject } from "../contract/subjects.ts";
import { writeDollars } from "../dollars.ts";
import { factsOf, kindOf, writeMove } from "./tools.ts";

/** A command by itself, any other built-in tool before its subject, and a foreign one before its arguments. */
export function aboutCall(tool: string, args: Record<string, unknown>): string {
  const about = factsOf(tool)?.about(args);
  if (about === undefined || about === "") return `${tool} ${JSON.stringify(args)}`;
  return kindOf(tool) === "command" ? about : `${tool} ${about}`;
}

/** What a card asks about: the command, the path, the address or the question. */
export function aboutApproval({ subject, tool }: { subject: Subject; tool: string }): string {
  switch (subject.kind) {
    case "command":
      return subject.command;
    case "file":
      return `${subject.operation} ${subject.movedTo === undefined ? subject.path : writeMove(subject.path, subject.movedTo)}`;
    case "url":
      return subject.url;
    case "question":
      return subject.question;
    case "escalation":
      return `Refused by the sandbox: ${subject.command}`;
    case "setAside":
      return `Newly made: ${subject.names.join(", ")}`;
    case "response":
      return `Response of ${subject.request}`;
    case "recovery":
      return `Outcome unknown: ${subject.what}`;
    case "terminal":
      return subject.about === undefined ? tool : `${tool} ${subject.about}`;
    case "outer":
      return `${subject.agent}: ${subject.about}`;
    case "arguments":
      return tool;
    case "spending":
      return `Spending limit: about ${writeDollars(subject.dollars)} spent`;
  }
}
