/** What makes the Electron double strict: the app sees of each object only what is named here, and hears no unknown event. */
import { EventEmitter } from "node:events";

/** What the app may touch of one of Electron's classes; held against Electron's own declarations by a test. */
export type Surface = {
  /** As it is called in electron.d.ts. */
  readonly name: string;
  readonly events: readonly string[];
  readonly members: readonly string[];
};

/** Names are checked by the compiler too, since they are keys of the declared type. */
export function surface<T extends object>(
  name: string,
  members: readonly (keyof T & string)[],
  events: readonly string[] = [],
): Surface {
  return { name, members, events };
}

const listening = ["on", "once", "off", "removeListener"];

/** The object as the app gets it: anything that is not on its surface throws, and so does all of it once it is gone. */
export function present<T extends object>(
  { name, members, events }: Surface,
  target: T,
  isGone = () => false,
): T {
  const isKnown = (key: string) => members.includes(key) || (events.length > 0 && listening.includes(key));
  return new Proxy(target, {
    get(object, key) {
      if (typeof key === "symbol") return Reflect.get(object, key);
      // Awaiting an object asks whether it is a promise; a real window answers that too.
      if (key === "then") return undefined;
      if (!isKnown(key)) throw new Error(`The Electron double has no ${name}.${key}.`);
      if (isGone() && key !== "isDestroyed") throw new TypeError("Object has been destroyed");
      const value: unknown = Reflect.get(object, key);
      // Methods of a class must see the object itself: its private fields are not on the proxy.
      return typeof value === "function" ? value.bind(object) : value;
    },
    set(object, key, value) {
      if (typeof key === "string" && members.includes(key) && key in object)
        return Reflect.set(object, key, value);
      throw new Error(`The Electron double does not let ${name}.${String(key)} be set.`);
    },
  });
}

/** An emitter that knows its events by name and refuses all others. */
export class StrictEmitter {
  readonly #emitter = new EventEmitter();
  readonly #surface: Surface;
  constructor(surface: Surface) {
    this.#surface = surface;
  }
  #check(event: string): void {
    if (!this.#surface.events.includes(event))
      throw new Error(`The Electron double has no event "${event}" on ${this.#surface.name}.`);
  }
  on(event: string, listener: (...args: never[]) => void): this {
    this.#check(event);
    this.#emitter.on(event, listener as (...args: unknown[]) => void);
    return this;
  }
  once(event: string, listener: (...args: never[]) => void): this {
    this.#check(event);
    this.#emitter.once(event, listener as (...args: unknown[]) => void);
    return this;
  }
  off(event: string, listener: (...args: never[]) => void): this {
    this.#check(event);
    this.#emitter.off(event, listener as (...args: unknown[]) => void);
    return this;
  }
  /** Test side: fires an event as Electron would. */
  emit(event: string, ...args: unknown[]): void {
    this.#check(event);
    this.#emitter.emit(event, ...args);
  }
  /** Test side: whether the app listens. */
  isHeard(event: string): boolean {
    this.#check(event);
    return this.#emitter.listenerCount(event) > 0;
  }
}

/** An Electron event object that remembers whether its default was prevented. */
export function createEvent<T extends object>(
  params: T,
): T & { defaultPrevented: boolean; preventDefault(): void } {
  const event = {
    ...params,
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true;
    },
  };
  return event;
}
