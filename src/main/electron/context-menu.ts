/** The menu of the right mouse button: what can be done with the text under it. */
import { app, type ContextMenuParams, Menu, type MenuItemConstructorOptions } from "electron";

/** Applies to every page the app ever makes. */
export function offerContextMenus(): void {
  app.on("web-contents-created", (_event, contents) => {
    contents.on("context-menu", (_opened, params) => {
      const template = describe(params);
      if (template.length > 0) Menu.buildFromTemplate(template).popup();
    });
  });
}

type Params = Pick<ContextMenuParams, "isEditable" | "selectionText" | "editFlags">;

function describe({ isEditable, selectionText, editFlags }: Params): MenuItemConstructorOptions[] {
  const copy = { role: "copy" as const, enabled: editFlags.canCopy };
  const selectAll = { role: "selectAll" as const, enabled: editFlags.canSelectAll };
  if (!isEditable) return selectionText.trim() === "" ? [] : [copy, selectAll];
  return [
    { role: "undo", enabled: editFlags.canUndo },
    { role: "redo", enabled: editFlags.canRedo },
    { type: "separator" },
    { role: "cut", enabled: editFlags.canCut },
    copy,
    { role: "paste", enabled: editFlags.canPaste },
    selectAll,
  ];
}
