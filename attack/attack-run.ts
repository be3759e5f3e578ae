/** Gives an attack its seed, its random numbers and its length: a bounded form for every day, minutes when asked. */
import { onTestFailed } from "vitest";
import { makeRandom } from "../src/main/policy/testing/seeded-commands.ts";

/** One run of one attack. */
type AttackRun = {
  readonly seed: number;
  /** Numbers in [0, 1), the same for the same seed. */
  random(): number;
  /**
   * Round numbers from 0. Without COUNTERSIGN_ATTACK_MINUTES there are exactly `bounded`, so that no clock decides
   * what is tested; with it, they go on until the minutes are over.
   */
  rounds(bounded: number): Generator<number>;
};

const everydaySeed = 20_260_101;

function readNumber(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0)
    throw new Error(`${name} is not a number of zero or more: ${text}`);
  return value;
}

/**
 * Starts an attack inside of a test: prints its seed, and prints it again when that test fails.
 *
 * @param name what the printed lines call it, such as "commands"
 * @throws Error when an environment variable is not a number
 */
export function startAttack(name: string): AttackRun {
  const minutes = readNumber("COUNTERSIGN_ATTACK_MINUTES");
  const fresh = minutes === undefined ? everydaySeed : Math.floor(Math.random() * 2 ** 31);
  const seed = readNumber("COUNTERSIGN_ATTACK_SEED") ?? fresh;
  console.log(`attack ${name}: COUNTERSIGN_ATTACK_SEED=${seed}`);
  onTestFailed(() => console.error(`attack ${name} failed; again with COUNTERSIGN_ATTACK_SEED=${seed}`));
  return {
    seed,
    random: makeRandom(seed),
    *rounds(bounded) {
      const end = minutes === undefined ? undefined : performance.now() + minutes * 60_000;
      for (let round = 0; end === undefined ? round < bounded : performance.now() < end; round += 1)
        yield round;
    },
  };
}
