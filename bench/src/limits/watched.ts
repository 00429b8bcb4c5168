/** Measures calls and compares them with their bounds. */
import type { Repository } from 'quadrille';
import { timed } from '../measure.js';
import type { Figures } from '../workload.js';
import { bounded, figure } from '../workload.js';
import { StretchWatch } from './stretch-watch.js';

/** Longest time for which a public call may hold the event loop, in milliseconds. */
const MOST_STRETCH_MS = 50;

export interface Watched<T> {
  readonly result: T;
  readonly seconds: number;
  readonly figures: Figures;
}

/** Makes a call. Measures its longest stretch without a turn of the event loop, and its time. */
export async function watched<T>(name: string, call: () => Promise<T>): Promise<Watched<T>> {
  const watch = new StretchWatch();
  const { result, seconds } = await timed(call);
  const stretch = await watch.stop();
  const figures = {
    [`${name}: stretch`]: bounded(stretch, 'ms', { most: MOST_STRETCH_MS }),
    [`${name}: time`]: figure(seconds, 's'),
  };
  return { result, seconds, figures };
}

/** Loads the engine of queries and updates, which is 1 MB of modules. Its loading belongs to the start of a program. */
export async function loadEngine(repository: Repository): Promise<void> {
  await repository.ask('ASK { <a:a> <a:b> <a:c> }');
  await repository.update('DELETE { <a:a> <a:b> ?c } WHERE { <a:a> <a:b> ?c }');
}
