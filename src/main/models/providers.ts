/** What is known of each model provider before any of its code is loaded. */
import type { ProviderId } from "../../shared/contract/models.ts";
import { demoModelId } from "./demo/demo-model-id.ts";

type ProviderFacts = {
  label: string;
  /** False where a model answers without a key; one that is set is sent all the same. */
  needsKey: boolean;
  /** Ids worth offering; any other id may be typed. */
  suggestedModels: readonly string[];
  /** The address used when a model names none; undefined where the person has to give one. */
  baseUrl?: string;
  /** Where a person gets a key. */
  keyUrl?: string;
};

export const providers: Readonly<Record<ProviderId, ProviderFacts>> = {
  demo: { label: "Scripted demo (no AI)", needsKey: false, suggestedModels: [demoModelId] },
  anthropic: {
    label: "Anthropic",
    needsKey: true,
    suggestedModels: ["claude-sonnet-5", "claude-opus-5", "claude-haiku-4-5", "claude-sonnet-4-5"],
    baseUrl: "https://api.anthropic.com",
    keyUrl: "https://console.anthropic.com/settings/keys",
  },
  openai: {
    label: "OpenAI",
    needsKey: true,
    suggestedModels: ["gpt-5.4", "gpt-5.4-mini", "gpt-5.1", "gpt-4.1"],
    baseUrl: "https://api.openai.com/v1",
    keyUrl: "https://platform.openai.com/api-keys",
  },
  google: {
    label: "Google",
    needsKey: true,
    suggestedModels: ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-3-pro-preview"],
    baseUrl: "https://generativelanguage.googleapis.com",
    keyUrl: "https://aistudio.google.com/apikey",
  },
  ollama: {
    label: "Ollama (on this computer)",
    needsKey: false,
    suggestedModels: ["qwen3:8b", "gpt-oss:20b", "llama3.1:8b"],
    baseUrl: "http://127.0.0.1:11434",
  },
  "openai-compatible": { label: "OpenAI-compatible endpoint", needsKey: false, suggestedModels: [] },
};
