import { expect, test } from 'vitest';
import { type LoadProblem, open, type Repository, type SkippedLine } from '../index.js';

const BAD = '<urn:a> <urn:p> 1 .\n<urn:b> <urn:p> "2" .\nnonsense\n<urn:c> <urn:p> "3" .\n';

async function repository(): Promise<Repository> {
  const database = await open(':memory:');
  const { onTestFinished } = await import('vitest');
  onTestFinished(() => database.close());
  return database.repository('people', { create: true });
}

test('a load leaves out the lines that are not well formed, and tells them; it is one revision, which can be undone', async () => {
  const repo = await repository();
  const problems: SkippedLine[] = [];
  const revision = await repo.load(
    { text: BAD },
    { format: 'nt', onError: 'skip', onProblem: (problem) => void problems.push(problem as SkippedLine) },
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
  const onProblem = (problem: LoadProblem): void => void seen.push((problem as SkippedLine).line);
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

const PREFIXES = '@prefix a: <urn:a:> .\n@prefix p: <urn:p:> .\n';
const RDF_XML = (content: string): string =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="urn:p:">${content}</rdf:RDF>`;
const TRIX = (content: string): string =>
  `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>${content}</graph></TriX>`;
const triX = (...terms: string[]): string => `<triple>${terms.join('')}</triple>`;
const uri = (iri: string): string => `<uri>${iri}</uri>`;

/** Documents with two good statements, `a:s p:a "1"` and `a:s p:b "2"`, around bad terms. */
const WITH_BAD_TERMS: readonly (readonly [format: string, text: string, bad: readonly string[]])[] = [
  [
    'ttl',
    `${PREFIXES}a:s p:a "1" ; p:x <urn:a b> ; p:y "x"@en_US ; <p o> 5 ; p:b "2" .\n`,
    ['<urn:a b>', '@en_US', '<p o>'],
  ],
  [
    'ttl',
    `${PREFIXES}a:s p:a "1" . <relative> p:x 1, 2 . a:s p:y "x"^^<a b> .\na:s p:b "2" .`,
    ['<relative>', '<a b>'],
  ],
  [
    'ttl',
    `${PREFIXES}a:s p:a "1" , "x"@toolongtag , "y"@en--up ; p:x <urn:\\u0020> ; p:b "2" .`,
    ['@toolongtag', '@en--up', '<urn:\\u0020>'],
  ],
  ['trig', `${PREFIXES}<no graph> { a:s p:x 1 . a:t p:y 2 }\n{ a:s p:a "1" ; p:b "2" }`, ['<no graph>']],
  ['n3', `${PREFIXES}a:s p:a "1" ; p:x <relative> ; p:b "2" .`, ['relative']],
  [
    'rdf',
    RDF_XML(
      '<rdf:Description rdf:about="urn:a:s"><p:a>1</p:a><p:x rdf:resource="a b"/><p:y xml:lang="en_US">x</p:y>' +
        '<p:z rdf:datatype="a b">x</p:z><p:b>2</p:b></rdf:Description><rdf:Description rdf:about="a b"><p:x>3</p:x></rdf:Description>',
    ),
    ['a b', 'en_US', 'a b', 'a b'],
  ],
  [
    'trix',
    TRIX(
      triX(uri('urn:a:s'), uri('urn:p:a'), '<plainLiteral>1</plainLiteral>') +
        triX(uri('urn:a:s'), uri('a b'), uri('urn:x')) +
        triX(uri('urn:a:s'), uri('urn:p:y'), '<plainLiteral xml:lang="en_US">x</plainLiteral>') +
        triX(uri('urn:a:s'), uri('urn:p:b'), '<plainLiteral>2</plainLiteral>'),
    ),
    ['a b', 'en_US'],
  ],
  [
    'rj',
    '{"urn:a:s": {"urn:p:a": [{"type": "literal", "value": "1"}], "urn:p:x": [{"type": "uri", "value": "a b"}], ' +
      '"urn:p:y": [{"type": "literal", "value": "x", "lang": "en_US"}], "urn:p:b": [{"type": "literal", "value": "2"}]}}',
    ['a b', 'en_US'],
  ],
];

test.each(WITH_BAD_TERMS)(
  '%s: the statements of bad terms are left out and told, document %#',
  async (format, text, bad) => {
    const repo = await repository();
    const problems: SkippedLine[] = [];
    const skip = {
      format,
      onError: 'skip',
      onProblem: (problem: LoadProblem) => void problems.push(problem as SkippedLine),
    } as const;
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte);
    }
    for (const source of [{ text }, bytes()]) {
      await repo.update('CLEAR ALL');
      problems.length = 0;
      await repo.load(source, skip);
      const found = await repo.select('SELECT ?v { <urn:a:s> ?p ?v } ORDER BY ?v').toArray();
      expect(found.map(({ v }) => v?.value)).toEqual(['1', '2']);
      expect(await repo.size()).toBe(2);
      expect(problems.map((problem) => problem.text)).toEqual(bad);
      for (const { line, column, message } of problems)
        expect([line > 0, column > 0, message !== '']).toEqual([true, true, true]);
    }
    await expect(repo.load({ text }, { ...skip, maxErrors: bad.length - 1 })).rejects.toMatchObject({
      code: 'RDF_SYNTAX',
    });
    await expect(repo.load({ text }, { format })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  },
);

test('long documents, which another thread parses, tell the same', async () => {
  const repo = await repository();
  const nodes = Array.from(
    { length: 6000 },
    (_, i) =>
      `<rdf:Description rdf:ID="n${i}"><p:x xml:lang="${i % 1000 === 7 ? 'en_US' : 'en'}">${'text '.repeat(20)}</p:x></rdf:Description>`,
  );
  const problems: SkippedLine[] = [];
  const options = {
    format: 'rdf',
    baseIRI: 'urn:a:',
    onError: 'skip',
    onProblem: (problem: LoadProblem) => void problems.push(problem as SkippedLine),
  } as const;
  await repo.load({ text: RDF_XML(nodes.join('\n')) }, options);
  expect(problems.map(({ line, text }) => [line, text])).toEqual(
    [0, 1, 2, 3, 4, 5].map((i) => [i * 1000 + 8, 'en_US']),
  );
  expect(await repo.size()).toBe(6000 - problems.length);
});

test('other faults end the load, and a base or a prefix is not skipped', async () => {
  const repo = await repository();
  for (const text of ['<urn:a> <urn:b>', '@prefix a: <a b> . a:s a:p 1 .', '@base <a b> .', '<urn:a <urn:b> <urn:c> .'])
    await expect(repo.load({ text }, { format: 'ttl', onError: 'skip' })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
  expect((await repo.revision()).number).toBe(1);
});

test('other values are refused', async () => {
  const repo = await repository();
  for (const wrong of [{ onError: 'ignore' }, { maxErrors: -1 }, { maxErrors: 1.5 }, { onProblem: 1 }])
    await expect(repo.load({ text: BAD }, { format: 'nt', ...(wrong as object) })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
});
