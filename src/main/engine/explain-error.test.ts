import { describe, expect, it } from "vitest";
import { explainRunError } from "./explain-error.ts";

const log = () => "a1b2";
const refused = (status: number, message: string) => Object.assign(new Error(message), { status });

describe("why a run failed", () => {
  it.each([
    [
      refused(500, "Internal"),
      "The provider had an internal error (500). Wait a moment, then retry. It said: Internal",
    ],
    [
      refused(400, "gemma does not support tools"),
      "The model cannot call tools, which an agent needs. Choose another model. It said: gemma does not support tools",
    ],
    [refused(400, "too hot"), "The provider refused the request (400). It said: too hot"],
  ])("is told as the provider's answer, with no log to look into: %s", (error, problem) => {
    expect(explainRunError(error, log)).toEqual({
      problem,
      retryable: true,
    });
  });

  it("is told with its place in the log where nobody foresaw it", () => {
    const { problem } = explainRunError(new TypeError("x is not a function"), log);
    expect(problem).toMatch(/^The turn failed: .+ \(log a1b2\)$/);
  });
});
