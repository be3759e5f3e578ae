/** The page's only way to the host: it asks for one message port and gets it as a window message. */
import { contextBridge, ipcRenderer } from "electron";

ipcRenderer.on("countersign:port", (event) => {
  window.postMessage({ type: "countersign:port" }, location.origin, event.ports);
});

contextBridge.exposeInMainWorld("countersign", {
  connect: () => ipcRenderer.send("countersign:connect"),
});
