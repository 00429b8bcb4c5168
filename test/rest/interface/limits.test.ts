// What the interface answers where a limit or a demand of the operator is met, with curl against the bundled server.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Answer, curl, serve } from '../curl.js';
import { row, scene, status, TURTLE } from '../scene.js';

const LIMITS = '{"transactionBytes":1000,"openTransactionsBytes":1500}';
const at = scene(undefined, '--require-if-match', '--limits', LIMITS);
const codeOf = (answer: Answer): unknown => JSON.parse(answer.body).code;

describe('8 limits that an operator sets', () => {
  row('8 428: a write that names no revision, where the operator asks for it', async () => {
    const statements = `${at.repository}/statements`;
    const write = (headers: Record<string, string>) =>
      at.send('POST', statements, { type: TURTLE, body: '<urn:a> <urn:p> 1 .', headers });
    const refused = await write({});
    expect([refused.status, codeOf(refused)]).toEqual([428, 'PRECONDITION_REQUIRED']);
    const update = { type: 'application/sparql-update', body: 'CLEAR ALL' };
    for (const [method, path, sent] of [
      ['POST', `${at.repository}/sparql`, update],
      ['PATCH', `${at.repository}/service`, update],
      ['PUT', `${at.repository}/service?default`, { type: TURTLE, body: '' }],
      ['DELETE', statements, {}],
    ] as const)
      expect([method, await status(at.send(method, path, sent))]).toEqual([method, 428]);
    const tag = (await at.get(`${at.repository}/size`)).headers.get('etag')!;
    expect(await status(write({ 'If-Match': tag }))).toBe(204);
    expect(await status(write({ 'If-Match': tag }))).toBe(412);
    const create = { type: TURTLE, body: '<urn:a> <urn:p> 1 .', headers: { 'If-None-Match': '*' } };
    expect(await status(at.send('PUT', `${at.repository}/service?graph=urn:new`, create))).toBe(201);
  });
  row('8 413 and 429: what open transactions hold', async () => {
    const begin = async () => (await at.send('POST', `${at.repository}/transactions`)).headers.get('location')!;
    const add = (transaction: string, lines: number) =>
      at.send('PUT', `${transaction}?action=ADD`, { type: TURTLE, body: '<urn:a> <urn:p> 1 . #xx\n'.repeat(lines) });
    const first = await begin();
    expect(await status(add(first, 30))).toBe(200);
    expect(await status(add(first, 30))).toBe(413);
    const second = await add(await begin(), 40);
    expect([second.status, codeOf(second), second.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '10']);
  });
  row('8 429 with Retry-After: too many requests, too many failures', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-limits-'));
    const limits = '{"requestsPerSecond":1,"requestBurst":5,"failuresPerMinute":2}';
    const { url, token, child } = await serve(join(directory, 'store'), '--limits', limits);
    const answers = async (user: string): Promise<Answer[]> => {
      const found = [];
      for (let n = 0; n < 10; n++) found.push(await curl('-u', `${user}:`, `${url}/repositories`));
      return found;
    };
    for (const [user, usual] of [
      [token, 200],
      ['wrong', 401],
    ] as const) {
      const found = await answers(user);
      expect(found[0]?.status).toBe(usual);
      const limited = found.find((answer) => answer.status === 429)!;
      expect([codeOf(limited), Number(limited.headers.get('retry-after'))]).toEqual([
        'RATE_LIMITED',
        expect.any(Number),
      ]);
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    child.kill('SIGTERM');
    await new Promise((done) => child.once('close', done));
    await rm(directory, { recursive: true, force: true });
  });
});
