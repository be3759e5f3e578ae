/** The default model and the addresses of model servers, in a readable file beside the database. */
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { type ModelRef, modelRefSchema, type ProviderId } from "../../shared/contract/models.ts";
import { DEMO_MODEL_ID } from "../agents/models/demo/demo-model-id.ts";
import { writeAtomically } from "./settings-store.ts";

const fileSchema = z.strictObject({
  defaultModel: modelRefSchema.optional(),
  baseUrls: z.record(z.string(), z.url()).default({}),
});

/** The model that needs no key; it is a script and says so everywhere. */
export const demoModel: ModelRef = { provider: "demo", model: DEMO_MODEL_ID };

export type ModelStore = {
  defaultModel(): ModelRef;
  setDefault(model: ModelRef): void;
  baseUrlOf(provider: ProviderId): string | undefined;
  setBaseUrl(provider: ProviderId, baseUrl: string | undefined): void;
  /** The reference with the address the person set for its provider, when it names none itself. */
  withBaseUrl(model: ModelRef): ModelRef;
};

export function createModelStore(path: string): ModelStore {
  let file = existsSync(path)
    ? fileSchema.parse(JSON.parse(readFileSync(path, "utf8")))
    : fileSchema.parse({});
  const save = (next: typeof file) => {
    writeAtomically(path, `${JSON.stringify(next, null, 2)}\n`);
    file = next;
  };
  return {
    defaultModel: () => file.defaultModel ?? demoModel,
    setDefault: (model) => save({ ...file, defaultModel: model }),
    baseUrlOf: (provider) => file.baseUrls[provider],
    setBaseUrl(provider, baseUrl) {
      const { [provider]: _old, ...others } = file.baseUrls;
      save({ ...file, baseUrls: baseUrl ? { ...others, [provider]: baseUrl } : others });
    },
    withBaseUrl: (model) => (model.baseUrl ? model : { ...model, baseUrl: file.baseUrls[model.provider] }),
  };
}
