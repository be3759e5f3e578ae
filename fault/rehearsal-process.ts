/** Rehearses a command in a process of its own, which ends itself at one of the steps; it says first where it works. */
import { setTimeout as delay } from "node:timers/promises";
import { makeScene } from "../src/main/rehearsal/testing/real-overlay.ts";
import { Shell } from "../src/main/shell/shell.ts";

const step = process.argv[2];
const endAt = (name: string) => {
  if (name === step) process.kill(process.pid, "SIGKILL");
};
const scene = makeScene({ a: "one\n" }, async (request) => {
  endAt("asked");
  const held = await shell.hold(request);
  endAt("starting");
  void delay(100).then(() => endAt("running"));
  const letGo = () => {
    endAt("read");
    held.letGo();
  };
  // Asked before whoever waits for them.
  void held.ready.then(() => endAt("ready"));
  void held.gone.then(() => endAt("gone"));
  return { ...held, letGo };
});
const shell = new Shell({ logDir: `${scene.root}/logs`, assertPermit: () => undefined });
process.stdout.write(scene.root);
await scene.rehearse(`echo two > b; ${step === "running" ? "setsid sleep 50; sleep 50" : "true"}`);
endAt("kept");
