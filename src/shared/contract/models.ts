/** Which models a thread can run on, and how their keys are set without ever coming back. */
import { z } from "zod";
import { procedure } from "./procedure.ts";

export const providerIdSchema = z.enum([
  "demo",
  "anthropic",
  "openai",
  "google",
  "ollama",
  "openai-compatible",
]);
export type ProviderId = z.infer<typeof providerIdSchema>;

export const modelRefSchema = z.strictObject({
  provider: providerIdSchema,
  /** The exact id that is sent to the provider; free text. */
  model: z.string().trim().min(1).max(200),
  /** Needed for `openai-compatible`; elsewhere it replaces the provider's own address. */
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
});
/** An address as a person gives it. It is kept and shown in the clear, and no request is sent to one with a password in it. */
export const webAddressSchema = z
  .url({ protocol: /^https?$/ })
  .max(2_000)
  .refine(
    (address) => !/^[^/?#]*\/\/[^/?#]*@/.test(address),
    "Leave the name and password out of the address. A key has its own field.",
  );
/** A model as it is named from now on; what was kept earlier is read as it stands. */
export const namedModelSchema = modelRefSchema.extend({ baseUrl: webAddressSchema.optional() });
export type ModelRef = z.infer<typeof modelRefSchema>;

/** Where a key is kept; `memory` is forgotten when the app stops, and a `locked` one is sealed and cannot be opened now. */
export const keyStorageSchema = z.enum(["keychain", "file", "memory", "environment", "locked"]);
export type KeyStorage = z.infer<typeof keyStorageSchema>;

export const providerSchema = z.strictObject({
  id: providerIdSchema,
  label: z.string(),
  needsKey: z.boolean(),
  hasKey: z.boolean(),
  keyStorage: keyStorageSchema.optional(),
  baseUrl: z.string().optional(),
  /** Where a person gets a key. */
  keyUrl: z.url({ protocol: /^https$/ }).optional(),
  suggestedModels: z.array(z.string()),
});
export type Provider = z.infer<typeof providerSchema>;

const testResultSchema = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true) }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
]);

export const modelsContract = {
  "models.providers": procedure(
    z.strictObject({}),
    z.strictObject({ providers: z.array(providerSchema), defaultModel: modelRefSchema }),
  ),
  /** Changes only what is given; a `null` address goes back to the provider's own and leaves the key. */
  "models.setKey": procedure(
    z.strictObject({
      provider: providerIdSchema,
      key: z.string().min(1).max(4_000).optional(),
      baseUrl: webAddressSchema.nullish(),
    }),
    providerSchema,
  ),
  /** Asks the keychain once more for a key that is locked; `keyStorage` says what came of it. */
  "models.unlockKey": procedure(z.strictObject({ provider: providerIdSchema }), providerSchema),
  "models.removeKey": procedure(z.strictObject({ provider: providerIdSchema }), providerSchema),
  "models.setDefault": procedure(z.strictObject({ model: namedModelSchema }), z.strictObject({})),
  "models.test": procedure(z.strictObject({ model: namedModelSchema }), testResultSchema),
  "models.discover": procedure(
    z.strictObject({}),
    z.strictObject({
      endpoints: z.array(
        z.strictObject({
          label: z.string(),
          provider: providerIdSchema,
          baseUrl: z.string(),
          models: z.array(z.string()),
        }),
      ),
    }),
  ),
};
