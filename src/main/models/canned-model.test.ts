import { HumanMessage } from "@langchain/core/messages";
import { tool } from "langchain";
import { expect, it } from "vitest";
import { z } from "zod";
import { providerIdSchema } from "../../shared/contract/models.ts";
import { cannedCall, createCannedModel } from "./canned-model.ts";

const ls = tool(() => "", { name: cannedCall.name, schema: z.object({ path: z.string() }) });

it.each(providerIdSchema.options.filter((id) => id !== "demo"))(
  "the client of %s reads a call and then a word where no server is",
  async (provider) => {
    const model = (await createCannedModel(provider)).bindTools!([ls]);
    const ask = async () => {
      let whole: Awaited<ReturnType<typeof model.invoke>> | undefined;
      for await (const chunk of await model.stream([new HumanMessage("Hi")]))
        whole = whole?.concat(chunk) ?? chunk;
      return whole;
    };
    expect((await ask())?.tool_calls).toMatchObject([
      { name: cannedCall.name, args: JSON.parse(cannedCall.arguments) as object },
    ]);
    expect((await ask())?.text).toBe("Hello");
  },
);
