/** The page's only way to the host, and the one thing a page cannot know: where a folder lies that was dropped on it. */
import { contextBridge, ipcRenderer, webUtils } from "electron";

ipcRenderer.on("countersign:port", (event) => {
  window.postMessage({ type: "countersign:port" }, location.origin, event.ports);
});

contextBridge.exposeInMainWorld("countersign", {
  connect: () => ipcRenderer.send("countersign:connect"),
});

// Without this the window would try to open what is dropped; a page's own events carry no place on the disk.
addEventListener(
  "dragover",
  (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault(),
);
addEventListener("drop", (event) => {
  if (!event.isTrusted || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  const item = [...event.dataTransfer.items].find((each) => each.webkitGetAsEntry()?.isDirectory);
  const folder = item?.getAsFile();
  if (folder) ipcRenderer.send("countersign:drop", webUtils.getPathForFile(folder));
});
