import { EvaluationError } from '@quadrille/model';
import { openService } from '../host/index.js';
import { open } from 'quadrille';
import { expect, test } from 'vitest';
import { NO_OTHERS } from '../testing/server.js';
import { textBody } from './text-body.js';

test('nothing is read ahead, and a reader that goes away stops the sequence', async () => {
  let made = 0;
  let stopped = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) {
        made++;
        yield 'x'.repeat(20_000);
      }
    } finally {
      stopped = true;
    }
  }
  const body = await textBody(endless());
  if (typeof body === 'string') throw new Error('endless');
  const reader = body.getReader();
  expect(made).toBe(1);
  await reader.read();
  await reader.read();
  expect(made).toBeLessThanOrEqual(3);
  await reader.cancel();
  expect(stopped).toBe(true);
});

test('an error before the first chunk rejects, a later one fails the stream', async () => {
  async function* failing(after: number): AsyncGenerator<string> {
    for (let i = 0; i < after; i++) yield 'y'.repeat(20_000);
    throw new Error('broken');
  }
  await expect(textBody(failing(0))).rejects.toThrow('broken');
  await expect(new Response(await textBody(failing(2))).text()).rejects.toThrow('broken');
});

test('a turn that has failed before the reader takes more stops the sequence', async () => {
  const database = await open(':memory:');
  const service = await openService(database);
  const turn = await service.gate.enter({ party: '', kind: 'query', text: '', repositories: NO_OTHERS });
  let stopped = false;
  async function* endless(): AsyncGenerator<string> {
    try {
      for (;;) yield 'x'.repeat(20_000);
    } finally {
      stopped = true;
    }
  }
  const body = await textBody(endless(), turn);
  if (typeof body === 'string') throw new Error('endless');
  const reader = body.getReader();
  await reader.read();
  // The reader has asked for more when the turn ends.
  await turn.resume();
  turn.task.control.fail(new EvaluationError('ABORTED', 'cancelled'));
  await expect(reader.read()).rejects.toMatchObject({ code: 'ABORTED' });
  expect(stopped).toBe(true);
  await service.close();
  await database.close();
});

test('an empty sequence is an empty body', async () => {
  async function* nothing(): AsyncGenerator<string> {}
  expect(await new Response(await textBody(nothing())).text()).toBe('');
});
