/** The fields of a program that will be started, each a text that has to be on the screen to its end. */
import type { ComponentProps } from "react";
import type { FieldProblem } from "../../../shared/contract/field-problem.ts";
import { problemOf } from "../../base/field-problems.ts";
import { ReadField, sendOnEnter } from "../seen/read-field.tsx";
import { strings } from "./strings.ts";

const words = strings.server;

/** One argument a line. */
export type Program = { command: string; args: string };

/** The arguments of that. */
export const wordsOf = (args: string): string[] => args.split("\n").filter((line) => line !== "");

type ProgramFieldsProps = {
  program: Program;
  /** The names by which the gauge knows them. */
  keys: Program;
  placeholder?: string;
  problems: readonly FieldProblem[];
  onChange: (next: Partial<Program>) => void;
};

export function ProgramFields({ program, keys, placeholder, problems, onChange }: ProgramFieldsProps) {
  return (
    <>
      <LineField
        readKey={keys.command}
        label={words.command}
        placeholder={placeholder}
        value={program.command}
        problem={problemOf("command", problems)}
        onText={(command) => onChange({ command })}
      />
      <ReadField
        readKey={keys.args}
        mono
        label={words.args}
        spellCheck={false}
        value={program.args}
        onChange={(event) => onChange({ args: event.target.value })}
      />
    </>
  );
}

type LineFieldProps = Omit<ComponentProps<typeof ReadField>, "onChange"> & { onText: (text: string) => void };

/** A field of one line that breaks where it is too long for its box, so that all of it can be seen. */
export function LineField({ onText, ...rest }: LineFieldProps) {
  return (
    <ReadField
      {...rest}
      mono
      low
      spellCheck={false}
      onChange={(event) => onText(event.target.value.replace(/[\r\n]+/g, ""))}
      onKeyDown={sendOnEnter}
    />
  );
}
