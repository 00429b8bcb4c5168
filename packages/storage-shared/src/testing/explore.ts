/**
 * Explores how actors that share a store can interleave. Each call of a driver is a step: the explorer decides whose
 * step is next, and whether its answer gets lost. It tries every order, but continues from each state once.
 */

import { createHash } from 'node:crypto';
import type { SharedDriver } from '../contract.js';
import { SharedMemory, SharedMemoryDriver } from '../memory-driver.js';

/** Calls whose answer may be `unknown`, whether they had their effect or not. */
const UNCERTAIN = new Set(['append', 'casRoot']);

/** What a step may do to its call. */
type Effect = 'whole' | 'answer lost' | 'call lost';

interface Waiting {
  readonly call: string;
  readonly step: (effect: Effect) => Promise<void>;
}

/** One course of events over a new store. */
export interface Course {
  readonly memory: SharedMemory;
  /** The actors. Each one uses only its driver, and waits for nothing else. */
  readonly actors: readonly ((driver: SharedDriver) => Promise<void>)[];
  /** Looks at the outcome after all actors have ended. */
  readonly check: () => Promise<void>;
}

export interface ExploreOptions {
  /** Makes the same course anew for each run. */
  readonly course: () => Course;
  /** Number of answers or calls that may get lost in one run. Default 0. */
  readonly losses?: number;
  /** Largest number of runs. Default: all. */
  readonly runs?: number;
  /** Chooses among `count` possibilities where it matters which ones are tried. Default: all, in order. */
  readonly choose?: (count: number) => number;
}

/** The number of runs and of different states. */
export interface Explored {
  readonly runs: number;
  readonly states: number;
}

/** One actor of a run: what it waits for, and a digest of all answers that it got. */
class Actor {
  waiting: Waiting | undefined;
  history = '';
  failure: unknown;
  #parked!: () => void;
  parked = new Promise<void>((resolve) => (this.#parked = resolve));

  park(waiting: Waiting | undefined): void {
    this.waiting = waiting;
    this.#parked();
  }

  async step(effect: Effect): Promise<void> {
    const { step } = this.waiting!;
    this.parked = new Promise((resolve) => (this.#parked = resolve));
    await step(effect);
    await this.parked;
  }
}

/** Runs every interleaving, or as many as asked for. Rejects with what an actor or a check has thrown. */
export async function explore({ course, losses = 0, runs = Infinity, choose }: ExploreOptions): Promise<Explored> {
  const seen = new Set<string>();
  /** Choices of the present run: which possibility of how many. */
  let path: { taken: number; count: number }[] = [];
  let done = 0;
  while (done < runs) {
    done++;
    await run(course(), path, seen, losses, choose);
    if (choose !== undefined) {
      path = [];
      continue;
    }
    while (path.length > 0 && path.at(-1)!.taken + 1 >= path.at(-1)!.count) path.pop();
    if (path.length === 0) break;
    path.at(-1)!.taken++;
  }
  return { runs: done, states: seen.size };
}

async function run(
  { memory, actors: bodies, check }: Course,
  path: { taken: number; count: number }[],
  seen: Set<string>,
  losses: number,
  choose: ExploreOptions['choose'],
): Promise<void> {
  const actors = bodies.map((body) => {
    const actor = new Actor();
    const end = (): void => actor.park(undefined);
    body(gated(new SharedMemoryDriver(memory), actor)).then(end, (error: unknown) => {
      actor.failure = error;
      end();
    });
    return actor;
  });
  await Promise.all(actors.map(({ parked }) => parked));
  let left = losses;
  for (let depth = 0; ; depth++) {
    const failed = actors.find(({ failure }) => failure !== undefined);
    if (failed !== undefined) throw failed.failure;
    const possible = actors.flatMap((actor) => effects(actor, left).map((effect) => ({ actor, effect })));
    if (possible.length === 0) return check();
    // The known part of the path leads to states that were seen when it was first taken.
    if (depth >= path.length) {
      const state = stateOf(memory, actors, left);
      if (choose === undefined && seen.has(state)) return;
      seen.add(state);
      path.push({ taken: choose?.(possible.length) ?? 0, count: possible.length });
    }
    const { actor, effect } = possible[path[depth]!.taken]!;
    if (effect !== 'whole') left--;
    await actor.step(effect);
  }
}

function effects({ waiting }: Actor, left: number): Effect[] {
  if (waiting === undefined) return [];
  return left > 0 && UNCERTAIN.has(waiting.call) ? ['whole', 'answer lost', 'call lost'] : ['whole'];
}

/** A driver whose calls wait until the explorer lets them go on. */
function gated(driver: SharedMemoryDriver, actor: Actor): SharedDriver {
  return new Proxy<SharedDriver>(driver, {
    get(target, call: keyof SharedDriver) {
      const value = target[call];
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          const step = async (effect: Effect): Promise<void> => {
            const answer = effect === 'call lost' ? undefined : await method(...args);
            actor.history = digest(`${actor.history} ${call} ${effect} ${JSON.stringify(answer)}`);
            resolve(effect === 'whole' ? answer : 'unknown');
          };
          actor.park({ call, step: (effect) => step(effect).catch(reject) });
        });
    },
  });
}

function stateOf(memory: SharedMemory, actors: readonly Actor[], left: number): string {
  const logs = [...memory.logs].map(([number, { entries, root, packs }]) => [number, entries, root, [...packs.keys()]]);
  return digest(JSON.stringify([logs, actors.map(({ history, waiting }) => [history, waiting?.call]), left]));
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
