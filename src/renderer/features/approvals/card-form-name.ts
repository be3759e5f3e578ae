/** The forms in which a card takes a text from the person. */
export type CardForm = (typeof cardForms)[number];

export const cardForms = ["edit", "respond", "reason"] as const;

/** The key by which the gauge knows what a person writes in a form of a card. */
export function writtenKey(id: string, form: CardForm): string {
  return `${id}:${form}`;
}

export function writtenKeys(id: string): string[] {
  return cardForms.map((form) => writtenKey(id, form));
}
