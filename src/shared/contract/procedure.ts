/** The two shapes everything in the contract has: a procedure answers once, a stream answers until it is closed. */
import type { z } from "zod";

export type Procedure<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  kind: "procedure";
  input: I;
  output: O;
};

export type Stream<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> = {
  kind: "stream";
  input: I;
  item: O;
};

/** A call with one answer; both are parsed. */
export function procedure<I extends z.ZodType, O extends z.ZodType>(input: I, output: O): Procedure<I, O> {
  return { kind: "procedure", input, output };
}

/** A stream's items leave the host only after the client asked for them (pull credits). */
export function stream<I extends z.ZodType, O extends z.ZodType>(input: I, item: O): Stream<I, O> {
  return { kind: "stream", input, item };
}
