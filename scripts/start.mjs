/** `npm start`: sets up, then opens the desktop app, or the same console in the browser where no window can be shown. */
import { ensureBuilt } from "./setup/build.mjs";
import { openDesktop } from "./setup/desktop.mjs";
import { ensureElectron, whyNoWindow } from "./setup/electron-binary.mjs";
import { ensureInstalled } from "./setup/install.mjs";
import { main, report } from "./setup/project.mjs";
import { whyNoSandbox } from "./setup/sandbox.mjs";
import { serveHost } from "./setup/serve-host.mjs";

await main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  const noWindow = whyNoWindow(process.platform, process.env, process.getuid?.());
  if (noWindow !== undefined) return serve(args, noWindow);
  const { path, problem } = await ensureElectron();
  if (path === undefined) return serve(args, problem);
  const noSandbox = whyNoSandbox(process.platform, path);
  if (noSandbox !== undefined) return serve(args, noSandbox);
  const ended = await openDesktop(path, args);
  return ended.problem === undefined ? ended.code : serve(args, ended.problem);
});

function serve(args, reason) {
  report(`${reason}, so the console opens in your browser instead.`);
  return serveHost(args);
}
