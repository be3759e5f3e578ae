/** What makes the Electron double strict: nothing that is not doubled can be touched, and no unknown event heard. */
import { EventEmitter } from "node:events";

/** Wraps an object so that reading or writing a property it does not have throws, naming it. */
export function makeStrict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, key) {
      if (typeof key === "symbol" || key in object) {
        const value: unknown = Reflect.get(object, key);
        // Methods of a class must see the object itself: its private fields are not on the proxy.
        return typeof value === "function" && !Object.hasOwn(object, key) ? value.bind(object) : value;
      }
      // Awaiting an object asks whether it is a promise; a real window answers that too.
      if (key === "then") return undefined;
      throw new Error(`The Electron double has no ${name}.${key}.`);
    },
    set(object, key, value) {
      if (key in object || typeof key === "symbol") return Reflect.set(object, key, value);
      throw new Error(`The Electron double does not let ${name}.${key} be set.`);
    },
  });
}

/** An emitter that knows its events by name and refuses all others. */
export class StrictEmitter {
  readonly #emitter = new EventEmitter();
  readonly #name: string;
  readonly #events: readonly string[];
  constructor(name: string, events: readonly string[]) {
    this.#name = name;
    this.#events = events;
  }
  #check(event: string): void {
    if (!this.#events.includes(event))
      throw new Error(`The Electron double has no event "${event}" on ${this.#name}.`);
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
  /** Test side: fires an event as Electron would. */
  emit(event: string, ...args: unknown[]): void {
    this.#check(event);
    this.#emitter.emit(event, ...args);
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
