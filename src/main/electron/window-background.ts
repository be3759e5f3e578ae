/** What a window shows before its page is painted: the ground of the page's own themes, so that nothing flashes. */
export const windowBackground = { light: "#f2f1ed", dark: "#0e0f10" } as const;
