/** Lets the event loop have a turn, in Node and in browsers. */

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
