/** A connection inside one process, for the unattended launcher: the same frames and the same checks, without a socket. */
import { createTransport, type Transport, type TransportEnds } from "./transport.ts";

/** Two transports, each the other's far end. Frames arrive in order, on a later microtask. */
export function connectInProcess(): [Transport, Transport] {
  let queue = Promise.resolve();
  const later = (action: () => void) => {
    queue = queue.then(action);
  };
  const wireTo = (farEnd: () => TransportEnds) => ({
    send: (frame: string) => later(() => farEnd().receive(frame)),
    close: (reason: string) => later(() => farEnd().ended(reason)),
  });
  const left: TransportEnds = createTransport(wireTo(() => right));
  const right: TransportEnds = createTransport(wireTo(() => left));
  return [left.transport, right.transport];
}
