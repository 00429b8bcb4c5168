// The secret of a token stands nowhere but in the answer that tells it: not in logs, errors, dumps, backups, or the files of the store.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type Served } from './curl.js';

let directory: string;
let served: Served;
let log = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-secrets-'));
  served = await serve(join(directory, 'store'), '--access-log');
  for (const stream of [served.child.stdout!, served.child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
});
afterAll(async () => {
  served.child.kill('SIGTERM');
  await rm(directory, { recursive: true, force: true });
});

test('a token and a new token', async () => {
  const { url, account, token } = served;
  const known = { Authorization: `Bearer ${token}` };
  const made = await fetch(`${url}/${account}/tokens`, {
    method: 'POST',
    headers: { ...known, 'Content-Type': 'application/json' },
    body: JSON.stringify({ label: 'other', rights: ['read'] }),
  });
  expect(made.status).toBe(201);
  const other = ((await made.json()) as { token: string }).token;
  const secrets = [token, other].map((text) => text.split('_').slice(2).join('_'));
  const answers: string[] = [];
  const send = async (path: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(url + path, init);
    answers.push(`${[...response.headers].join()} ${Buffer.from(await response.arrayBuffer()).toString('latin1')}`);
    return response.status;
  };
  const basic = (pair: string) => ({ Authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
  for (const secret of [token, other]) {
    expect(await send(`/${account}/none/size`, { headers: { Authorization: `Bearer ${secret}` } })).toBe(404);
    expect(await send(`/${account}/default/size`, { headers: { Authorization: `Bearer ${secret}x` } })).toBe(401);
    expect(await send(`/${account}/default/size`, { headers: basic(`nobody:${secret}`) })).toBe(401);
    expect(await send(`/${account}/default/size?auth_token=${secret}`)).toBe(401);
    expect(await send(`/${account}/default/none?auth_token=${secret}`, { headers: known })).toBe(404);
  }
  const nquads = { ...known, 'Content-Type': 'application/n-quads' };
  await send(`/${account}/default/statements`, { method: 'PUT', headers: nquads, body: '<urn:a> <urn:p> "b" .' });
  for (const path of [`/${account}`, `/${account}/tokens`, '/session', '/accounts', '/audit', '/metrics', '/jobs'])
    expect(await send(path, { headers: known })).toBe(200);
  expect(await send(`/${account}/default/statements`, { headers: known })).toBe(200);
  expect(await send(`/${account}/default/history`, { headers: known })).toBe(200);
  expect(await send('/backup', { method: 'POST', headers: known })).toBe(200);
  const archive = join(directory, 'backup.tar');
  await writeFile(archive, Buffer.from(answers.at(-1)!, 'latin1'));
  served.child.kill('SIGTERM');
  await new Promise((done) => served.child.once('close', done));
  expect(log).toContain('/default/none');
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(20);
    expect(log).not.toContain(secret);
    expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
    const found = execFileSync('sh', ['-c', `grep -rlF -- "${secret}" "${directory}" || true`]).toString();
    expect(found).toBe('');
  }
});
