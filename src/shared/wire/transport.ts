/** The four members a connection has, and the rules every kind of connection shares, so that transports stay boring. */

/** An ordered, reliable pipe of text frames. */
export type Transport = {
  /** Does nothing once the transport is closed. */
  send(frame: string): void;
  /** Frames that arrived before the first listener are kept for it. */
  onFrame(listener: (frame: string) => void): void;
  /** Called exactly once, whichever side closed; at once when it is closed already. */
  onClose(listener: (reason: string) => void): void;
  close(reason?: string): void;
};

/** What a kind of connection has to offer: text out, and hanging up. */
export type Wire = { send(frame: string): void; close(reason: string): void };

export type TransportEnds = {
  transport: Transport;
  /** Hand in whatever arrived; anything but text hangs up. */
  receive(data: unknown): void;
  /** Say that the other side, or the network, ended the connection. */
  ended(reason: string): void;
};

/** Builds a transport over a wire: keeps early frames, closes once, and is silent after that. */
export function createTransport(wire: Wire): TransportEnds {
  const early: string[] = [];
  const frameListeners: ((frame: string) => void)[] = [];
  const closeListeners: ((reason: string) => void)[] = [];
  let closedBecause: string | undefined;

  function finish(reason: string): void {
    if (closedBecause !== undefined) return;
    closedBecause = reason;
    early.length = 0;
    for (const listener of closeListeners.splice(0)) listener(reason);
  }

  function hangUp(reason: string): void {
    if (closedBecause !== undefined) return;
    wire.close(reason);
    finish(reason);
  }

  function deliver(frame: string): void {
    for (const listener of frameListeners) {
      if (closedBecause === undefined) listener(frame);
    }
  }

  return {
    transport: {
      send: (frame) => {
        if (closedBecause === undefined) wire.send(frame);
      },
      onFrame: (listener) => {
        frameListeners.push(listener);
        for (const frame of early.splice(0)) deliver(frame);
      },
      onClose: (listener) => {
        if (closedBecause === undefined) closeListeners.push(listener);
        else listener(closedBecause);
      },
      close: (reason = "This side closed the connection.") => hangUp(reason),
    },
    receive: (data) => {
      if (closedBecause !== undefined) return;
      if (typeof data !== "string") hangUp("Something other than a text frame arrived.");
      else if (frameListeners.length === 0) early.push(data);
      else deliver(data);
    },
    ended: finish,
  };
}
