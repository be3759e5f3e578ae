/** The words about models, providers and keys. */
import type { Price } from "../../../shared/contract/costs.ts";
import type { KeyStorage } from "../../../shared/contract/models.ts";
import { quoteName } from "../../../shared/foreign-words.ts";
import { formatDay, formatPrice } from "./price-words.ts";

const storages: Record<Exclude<KeyStorage, "locked">, string> = {
  keychain: "the system's keychain",
  file: "a file only you can read",
  memory: "memory, until Countersign ends",
  environment: "the environment Countersign was started in",
};

export const strings = {
  loading: "Reading the providers…",
  loadFailed: "The providers could not be read.",

  defaultTitle: "Default model",
  defaultHint: "For new threads, unless their agent names a model of its own.",
  defaultSaved: "The default model is set.",
  setDefault: "Use as default",
  isDefault: "default",

  provider: "Provider",
  model: "Model",
  modelHint: "Any id the provider knows",
  otherModel: "Another model…",
  modelId: (label: string) => `${label}: id`,
  address: "Server address",
  addressHint: "Such as http://127.0.0.1:1234/v1",
  badAddress:
    "Enter a whole address that begins with http:// or https://, without a name and password in it.",
  noModel: "Enter the id of a model.",

  providersTitle: "Providers",
  providersHint: "A key is written once and is never shown again, not even here.",
  demoHint: "Follows instruction lines word for word, to try the console without a key. No AI is involved.",
  noKeyNeeded: "No key needed",
  keyMissing: "No key",
  keySet: (storage: Exclude<KeyStorage, "locked"> | undefined) =>
    storage ? `Key set (kept in: ${storages[storage]})` : "Key set",
  keyLocked: "Key locked",
  lockedHint:
    "The system's keychain did not open this key. It is kept as it is: unlock the keychain and try again, or enter the key anew.",
  sealedElsewhereHint:
    "The desktop app keeps this key in the system's keychain, which browser mode cannot open. Enter it anew to use it here; the sealed one stays.",
  tryAgain: "Try the keychain again",
  stillLocked: "The keychain did not open the key.",
  noAddress: "No address",
  key: (provider: string) => `API key for ${provider}`,
  keyPlaceholderSet: "A new key replaces the one that is set",
  keyPlaceholder: "Paste the key",
  keySaved: (provider: string) => `The key for ${provider} is set.`,
  saved: (provider: string) => `${provider} is saved.`,
  getKey: (host: string) => `Get a key at ${host}`,
  addressOf: (provider: string) => `Address of ${provider}`,
  addressHintOwn: "Empty: the provider's own address.",
  setUp: (provider: string) => `Set up ${provider}`,
  fold: (provider: string) => `Fold ${provider}`,
  environmentHint: "This key comes from the environment; to take it away, start Countersign without it.",

  test: "Test",
  testing: "Testing…",
  testModel: "Model to test",
  testOk: (model: string) => `${model} answers.`,
  testFailed: "The test failed.",

  remove: "Remove key and address",
  removeTitle: (provider: string) => `Remove the key of ${quoteName(provider)}?`,
  removeText: "Threads that run on it fail at their next model call until a key is set again.",
  removed: (provider: string) => `Key and address of ${provider} are removed.`,

  pricesTitle: "Prices",
  pricesHint:
    "What a thread costs is estimated with these. Nothing is shown for a model without a price; models on this computer cost nothing.",
  loadingPrices: "Reading the prices…",
  pricesFailed: "The prices could not be read.",
  setPrice: "Set a price",
  priceOf: (model: string) => `Price of ${model}`,
  priceText:
    "US dollars per million tokens, as in the provider's price list. Cache prices may stay empty: cached input then counts like other input.",
  priceFields: {
    input: "Input",
    output: "Output",
    cacheRead: "Input read from the cache",
    cacheWrite: "Input written to the cache",
  },
  badAmount: "Enter an amount, such as 0.25.",
  priceLine: ({ input, output, cacheRead, cacheWrite }: Price) =>
    [
      `${formatPrice(input)} in`,
      `${formatPrice(output)} out`,
      ...(cacheRead === undefined ? [] : [`${formatPrice(cacheRead)} from the cache`]),
      ...(cacheWrite === undefined ? [] : [`${formatPrice(cacheWrite)} into the cache`]),
    ].join(" · "),
  listPrice: (day: string) => `List price of ${formatDay(day)}`,
  ownPrice: "Set by you",
  changePrice: "Change",
  changePriceOf: (model: string) => `Change the price of ${model}`,
  forgetPrice: "Forget",
  forgetPriceOf: (model: string) => `Forget the price of ${model}`,

  localTitle: "On this computer",
  localHint: "Ollama and LM Studio, when they run.",
  look: "Look again",
  looking: "Looking…",
  noneFound: "No model server answers on this computer. Start Ollama or LM Studio and look again.",
  lookFailed: "Looking for model servers failed.",
  noModels: "It runs but offers no model. Load one there first.",
  setDefaultNamed: (model: string) => `Use ${model} as default`,
};
