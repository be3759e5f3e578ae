/** A model's server over HTTP that says whatever it is told to: one list of answers for each model id. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

export type Answer =
  | { text: string; reasoning?: string }
  | { calls: { id: string; name: string; args: string }[] };

const requestSchema = z.looseObject({ model: z.string() });
/**
 * Answers each request for a model with the next of its list, and with a short text when there is none.
 * @param pieceLength how many characters come in one piece of the stream.
 */
export async function openAnsweringServer(pieceLength = 1_000_000) {
  const answers = new Map<string, Answer[]>();
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const piece of request) body.push(piece);
    const { model } = requestSchema.parse(JSON.parse(Buffer.concat(body).toString()));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const choice of toChoices(answers.get(model)?.shift() ?? { text: "That is all." }, pieceLength))
      response.write(
        `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, choices: [choice] })}\n\n`,
      );
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** The next answers of this model. */
    script: (model: string, list: Answer[]) => void answers.set(model, list),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function* toChoices(answer: Answer, pieceLength: number): Generator<unknown> {
  if ("text" in answer) {
    if (answer.reasoning)
      yield { index: 0, delta: { role: "assistant", reasoning_content: answer.reasoning } };
    for (const content of inPieces(answer.text, pieceLength))
      yield { index: 0, delta: { role: "assistant", content } };
    yield { index: 0, delta: {}, finish_reason: "stop" };
    return;
  }
  for (const [index, { id, name, args }] of answer.calls.entries()) {
    const head = { index, id, type: "function", function: { name, arguments: "" } };
    yield { index: 0, delta: { role: "assistant", tool_calls: [head] } };
    for (const piece of inPieces(args, pieceLength))
      yield { index: 0, delta: { tool_calls: [{ index, function: { arguments: piece } }] } };
  }
  yield { index: 0, delta: {}, finish_reason: "tool_calls" };
}

function* inPieces(text: string, pieceLength: number): Generator<string> {
  for (let at = 0; at === 0 || at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
}
