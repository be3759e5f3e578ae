/** The forms in which a card takes a text from the person. */
export type CardForm = (typeof cardForms)[number];

export const cardForms = ["edit", "respond", "reason"] as const;
