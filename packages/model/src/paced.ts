/** Loops over what a stranger sent, without holding the event loop. */
import { yieldTurn } from './yield-turn.js';

const STEP_MS = 10;

/** The same items; the event loop has a turn after every 10 ms, also where the work on each item never waits. */
export async function* paced<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for await (const item of items) {
    if (performance.now() - since > STEP_MS) {
      await yieldTurn();
      since = performance.now();
    }
    yield item;
  }
}
