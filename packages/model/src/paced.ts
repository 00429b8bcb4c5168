/** Turns for the event loop, in Node and in browsers, and loops over what a stranger sent that give it some. */

// setImmediate where there is one: a timer costs a millisecond. The global is looked up by name to stay free of node: types.
const immediate = (globalThis as { setImmediate?: (run: () => void) => void }).setImmediate;

/** Resolves after the event loop had a turn. */
export const yieldTurn: () => Promise<void> =
  immediate === undefined ? byMessage : () => new Promise((resolve) => immediate(resolve));

function byMessage(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(0);
  });
}

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
