/** The body of a feed, chunk by chunk. */
import { expect, test } from 'vitest';
import type { FeedEnd } from './feed.js';
import { feedStream } from './feed-stream.js';

/** A feed that the test ends. */
class ManualFeed {
  ended: FeedEnd | undefined;
  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(why: FeedEnd): void {
    if (this.ended !== undefined) return;
    this.ended = why;
    this.#controller.abort(new Error('over'));
  }
}

/** Chunks that the test sends one by one, until the feed ends. */
class Channel {
  left = false;
  #settle: { resolve: (chunk: string | undefined) => void; reject: (error: Error) => void } | undefined;

  send(chunk: string): void {
    this.#settle?.resolve(chunk);
  }

  fail(error: Error): void {
    this.#settle?.reject(error);
  }

  async *chunks(feed: ManualFeed): AsyncGenerator<string> {
    feed.signal.addEventListener('abort', () => this.#settle?.resolve(undefined));
    try {
      while (feed.ended === undefined) {
        const chunk = await new Promise<string | undefined>((resolve, reject) => (this.#settle = { resolve, reject }));
        if (chunk !== undefined) yield chunk;
      }
    } finally {
      this.left = true;
    }
  }
}

const text = (value: Uint8Array | undefined): string => new TextDecoder().decode(value);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function opened(heartbeatMs?: number) {
  const [feed, state] = [new ManualFeed(), new Channel()];
  const reader = feedStream(state.chunks(feed), feed, heartbeatMs).getReader();
  const read = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : text(value);
  };
  return { feed, state, reader, read };
}

test('sends chunks as they come, and a comment while none comes, also in the middle of an event', async () => {
  const { state, read, reader } = opened(5);
  expect([await read(), await read()]).toEqual([':\n', ':\n']);
  state.send('data: a\n');
  expect(await read()).toBe('data: a\n');
  expect(await read()).toBe(':\n');
  state.send('\n');
  expect(await read()).toBe('\n');
  await reader.cancel();
  expect(state.left).toBe(true);
});

test.each([
  ['closing', 'data: a\n\n', 'retry: 1000\n\n'],
  ['closing', 'data: a\n', undefined],
  ['closing', '\n', 'retry: 1000\n\n'],
] as const)('the end %s after %j', async (why, chunk, last) => {
  const { feed, state, read } = opened();
  const first = read();
  await turn();
  state.send(chunk);
  expect(await first).toBe(chunk);
  const next = read();
  await turn();
  feed.end(why);
  expect(await next).toBe(last);
  if (last !== undefined) expect(await read()).toBeUndefined();
  await turn();
  expect(state.left).toBe(true);
});

test('a client that takes nothing at the end hears of it when it reads soon, else the body fails', async () => {
  const [soon, late] = [opened(), opened()];
  const closed = late.reader.closed.then(
    () => 'closed',
    (error: Error) => error.message,
  );
  for (const { feed } of [soon, late]) feed.end('closing');
  expect([await soon.read(), await soon.read()]).toEqual(['retry: 1000\n\n', undefined]);
  expect(await closed).toBe('over');
});

test('what fails breaks the body, and ends the feed', async () => {
  const { feed, state, read } = opened();
  const first = read();
  await turn();
  state.fail(new Error('the disk is gone'));
  await expect(first).rejects.toThrow('the disk is gone');
  expect(feed.ended).toBe('done');
});
