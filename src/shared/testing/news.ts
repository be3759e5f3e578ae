/** Lets a test wait for a condition without looking at the clock: it is looked at again whenever something is told. */
export type News = {
  tell(): void;
  /** Resolves when the condition holds; looks again at whatever is told. */
  until(condition: () => boolean): Promise<void>;
};

export function createNews(): News {
  const watchers = new Set<() => void>();
  return {
    tell() {
      for (const watch of [...watchers]) watch();
    },
    until(condition) {
      if (condition()) return Promise.resolve();
      return new Promise((resolve) => {
        const watch = () => {
          if (!condition()) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
      });
    },
  };
}
