// Transactions that stage more than a small heap holds, in processes of their own: they end with QUERY_MEMORY, and what comes after them
// works.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const LIBRARY = pathToFileURL(resolve(import.meta.dirname, '../../packages/quadrille/dist/index.js')).href;
const HEAP_MEGABYTES = 256;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-transactions-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const script = (store: string, quads: number, length: number, character: string): string => `
  import { iri, literal, open, quad } from ${JSON.stringify(LIBRARY)};
  const db = await open(${JSON.stringify(store)});
  const repository = await db.repository('a/b', { create: true });
  const text = ${JSON.stringify(character)}.repeat(${String(length)});
  function* quads() {
    for (let i = 0; i < ${String(quads)}; i++) yield quad(iri('urn:s:' + i), iri('urn:p'), literal(text + i));
  }
  const stage = (transaction) => transaction.add(quads());
  const [first, second] = await Promise.allSettled([repository.transaction(stage), repository.transaction(stage)]);
  const after = await repository.transaction((transaction) => transaction.add(quad(iri('urn:a'), iri('urn:b'), iri('urn:c'))));
  console.log(JSON.stringify([first.reason?.code, second.reason?.code, after.number, await repository.size()]));
  await db.close();
`;

function run(source: string): Promise<unknown> {
  const node = [`--max-old-space-size=${String(HEAP_MEGABYTES)}`, '--input-type=module', '-e', source];
  return new Promise((done, fail) => {
    execFile(process.execPath, node, (error, stdout, stderr) =>
      error === null ? done(JSON.parse(stdout)) : fail(new Error(stderr)),
    );
  });
}

const CASES: readonly (readonly [string, number, number, string])[] = [
  ['many short terms', 2_000_000, 10, 'x'],
  ['long texts', 20_000, 50_000, 'x'],
  ['long texts of two bytes a character', 10_000, 50_000, '語'],
];

test.each(CASES)('two transactions of %s', { timeout: 60_000 }, async (name, quads, length, character) => {
  const found = await run(script(join(directory, name), quads, length, character));
  expect(found).toEqual(['QUERY_MEMORY', 'QUERY_MEMORY', 2, 1]);
});
