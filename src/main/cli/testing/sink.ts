/** Keeps what a command writes to a terminal. */
import { Writable } from "node:stream";

export class Sink extends Writable {
  text = "";
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
