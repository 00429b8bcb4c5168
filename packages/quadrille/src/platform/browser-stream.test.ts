import { describe, expect, test } from 'vitest';
import type { BatchSource } from '../read/results.js';
import { Emitter, ItemStream } from './browser-stream.js';

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Batches of numbers; the last one may be an error. */
function source(...batches: (number[] | Error)[]): { open: () => BatchSource<number>; log: string[] } {
  const log: string[] = [];
  const next = async (): Promise<number[] | undefined> => {
    const batch = batches.shift();
    if (batch instanceof Error) throw batch;
    return batch;
  };
  const open = (): BatchSource<number> => {
    log.push('open');
    return { next, close: () => void log.push('close') };
  };
  return { open, log };
}

function record(stream: ItemStream<number>, ...events: string[]): string[] {
  const heard: string[] = [];
  for (const event of events) {
    stream.on(event, (value?: unknown) => heard.push(value === undefined ? event : `${event} ${String(value)}`));
  }
  return heard;
}

describe('a stream of items', () => {
  test('flows as soon as somebody listens, and says its end once', async () => {
    const { open, log } = source([1, 2], [], [3]);
    const heard = record(new ItemStream(open), 'end', 'close', 'data');
    expect(log).toEqual([]);
    await turn();
    expect(heard).toEqual(['data 1', 'data 2', 'data 3', 'end', 'close']);
    expect(log).toEqual(['open', 'close']);
  });

  test('stops and goes on', async () => {
    const { open } = source([1, 2, 3]);
    const stream = new ItemStream(open);
    const heard = record(stream, 'data', 'end');
    stream.on('data', (value: never) => value === 2 && stream.pause());
    await turn();
    expect(heard).toEqual(['data 1', 'data 2']);
    stream.resume();
    await turn();
    expect(heard).toEqual(['data 1', 'data 2', 'data 3', 'end']);
  });

  test('is read item by item where readable is listened to', async () => {
    const { open } = source([1, 2], [3]);
    const stream = new ItemStream(open);
    const read: unknown[] = [];
    stream.on('readable', () => {
      for (let item = stream.read(); item !== null; item = stream.read()) read.push(item);
    });
    stream.on('end', () => read.push('end'));
    await turn();
    expect(read).toEqual([1, 2, 3, 'end']);
  });

  test('fails through its event and its iterator, and closes what it read from', async () => {
    const one = source([1], new Error('broken'));
    const heard = record(new ItemStream(one.open), 'data', 'error', 'end', 'close');
    await turn();
    expect(heard).toEqual(['data 1', 'error Error: broken', 'close']);
    const two = source([1], new Error('broken'));
    const read: number[] = [];
    const reading = (async () => {
      for await (const item of new ItemStream(two.open)) read.push(item);
    })();
    await expect(reading).rejects.toThrow('broken');
    expect([read, one.log, two.log]).toEqual([[1], ['open', 'close'], ['open', 'close']]);
  });

  test('that is left, or destroyed before it was read, holds nothing', async () => {
    const left = source([1, 2], [3]);
    for await (const item of new ItemStream(left.open)) if (item === 1) break;
    await turn();
    expect(left.log).toEqual(['open', 'close']);
    const never = source([1]);
    let freed = 0;
    const stream = new ItemStream(never.open, { unread: async () => void freed++ });
    const heard = record(stream, 'close');
    stream.destroy().destroy();
    await turn();
    expect([never.log, freed, heard, stream.destroyed]).toEqual([[], 1, ['close'], true]);
  });
});

test('an emitter calls those who listen, once or until they are taken off', () => {
  const emitter = new Emitter();
  const heard: string[] = [];
  const listener = (value: never): void => void heard.push(`on ${String(value)}`);
  emitter.on('x', listener).once('x', (value: never) => heard.push(`once ${String(value)}`));
  expect([emitter.emit('x', 1), emitter.emit('x', 2), emitter.listenerCount('x')]).toEqual([true, true, 1]);
  expect([emitter.off('x', listener).emit('x', 3), emitter.emit('y')]).toEqual([false, false]);
  expect(heard).toEqual(['on 1', 'once 1', 'on 2']);
});
