/** What a window shows before its page is painted: the ground of the page's own themes, so that nothing flashes. */
export const windowBackground = { light: "#f6f6f8", dark: "#101114" } as const;
