import { expect, test } from 'vitest';
import { type LoadProblem, open, type Repository } from '../index.js';

const BAD = '<urn:a> <urn:p> 1 .\n<urn:b> <urn:p> "2" .\nnonsense\n<urn:c> <urn:p> "3" .\n';

async function repository(): Promise<Repository> {
  const database = await open(':memory:');
  const { onTestFinished } = await import('vitest');
  onTestFinished(() => database.close());
  return database.repository('people', { create: true });
}

test('a load leaves out the lines that are not well formed, and tells them; it is one revision, which can be undone', async () => {
  const repo = await repository();
  const problems: LoadProblem[] = [];
  const revision = await repo.load(
    { text: BAD },
    { format: 'nt', onError: 'skip', onProblem: (problem) => void problems.push(problem) },
  );
  expect([revision.number, revision.added]).toEqual([2, 2]);
  expect(problems.map(({ line, column, text }) => [line, column, text])).toEqual([
    [1, 17, '<urn:a> <urn:p> 1 .'],
    [3, 1, 'nonsense'],
  ]);
  expect(problems.every(({ message }) => message.length > 0)).toBe(true);
  await repo.load({ text: '<urn:d> <urn:p> "4" .' }, { format: 'nt' });
  await repo.revert(revision);
  expect(await repo.size()).toBe(1);
  expect(await repo.at(revision).size()).toBe(2);
});

test('more than maxErrors, or fail, keep nothing', async () => {
  const repo = await repository();
  const seen: number[] = [];
  const onProblem = ({ line }: LoadProblem): void => void seen.push(line);
  await expect(
    repo.load({ text: BAD }, { format: 'nt', onError: 'skip', maxErrors: 1, onProblem }),
  ).rejects.toMatchObject({ code: 'RDF_SYNTAX', line: 3 });
  expect(seen).toEqual([1]);
  await expect(repo.load({ text: BAD }, { format: 'nt', onError: 'skip', maxErrors: 0 })).rejects.toMatchObject({
    line: 1,
  });
  await expect(repo.load({ text: BAD }, { format: 'nt', onError: 'fail' })).rejects.toMatchObject({ line: 1 });
  const stop = (): never => {
    throw new Error('enough');
  };
  await expect(repo.load({ text: BAD }, { format: 'nt', onError: 'skip', onProblem: stop })).rejects.toThrow('enough');
  expect((await repo.revision()).number).toBe(1);
  await repo.load({ text: BAD }, { format: 'nq', onError: 'skip' });
  expect(await repo.size()).toBe(2);
});

test('formats without lines, and other values, are refused', async () => {
  const repo = await repository();
  for (const format of ['ttl', 'trig', 'application/rdf+xml', 'jsonld'])
    await expect(repo.load({ text: '' }, { format, onError: 'skip' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  for (const wrong of [{ onError: 'ignore' }, { maxErrors: -1 }, { maxErrors: 1.5 }, { onProblem: 1 }])
    await expect(repo.load({ text: BAD }, { format: 'nt', ...(wrong as object) })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
});
