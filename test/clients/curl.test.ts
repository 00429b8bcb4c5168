// curl with the options that people use: files up, documents down, credentials, compression, conditions.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Endpoint, endpoint, EX, GRAPH, has, type Output, PEOPLE, PREFIXES, run, SIZE } from './endpoint.js';

const TURTLE = ['-H', 'Content-Type: text/turtle'];
const CSV = ['-H', 'Accept: text/csv'];

describe.skipIf(!has('curl', '--version'))('curl (needs Debian curl)', () => {
  let at: Endpoint;
  let directory: string;
  beforeAll(async () => {
    at = await endpoint();
    directory = await mkdtemp(join(tmpdir(), 'quadrille-curl-'));
    await writeFile(file('people.ttl'), PEOPLE);
    await writeFile(file('people.ttl.gz'), gzipSync(PEOPLE));
    await writeFile(file('names.rq'), `${PREFIXES} SELECT ?name { ?s foaf:name ?name } ORDER BY ?name`);
  });
  beforeEach(() => at.reset());
  afterAll(async () => {
    await at?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const file = (name: string): string => join(directory, name);
  const anonymous = (path: string, ...args: string[]): Promise<Output> =>
    run('curl', ['-sS', '--max-time', '20', ...args, at.repository + path]);
  const curl = (path: string, ...args: string[]): Promise<Output> => anonymous(path, '-u', `${at.token}:`, ...args);
  /** Only the status. */
  const status = async (path: string, ...args: string[]): Promise<string> =>
    (await curl(path, '-o', file('body'), '-w', '%{http_code}', ...args)).stdout;
  const names = ['name', '"Ada Lovelace"', '"Charles Babbage"'];
  const rows = ({ stdout }: Output): string[] => stdout.trim().split(/\r?\n/);

  test('queries, in each of the ways to send one', async () => {
    const query = await readFile(file('names.rq'), 'utf8');
    expect(rows(await curl('/sparql', ...CSV, '-G', '--data-urlencode', `query@${file('names.rq')}`))).toEqual(names);
    expect(rows(await curl('/sparql', ...CSV, '--data-urlencode', `query=${query}`))).toEqual(names);
    const direct = ['-H', 'Content-Type: application/sparql-query', '--data-binary', `@${file('names.rq')}`];
    expect(rows(await curl('/sparql', ...CSV, ...direct))).toEqual(names);
    expect(JSON.parse((await curl('/sparql', '-d', 'query=ASK{}')).stdout)).toEqual({ head: {}, boolean: true });
    expect((await curl('/sparql', '-d', `query=DESCRIBE <${EX}ada>`, '-H', 'Accept: text/turtle')).stdout).toContain(
      '"Ada Lovelace"',
    );
  });

  test('every form of credentials', async () => {
    const ask = ['-G', '-d', 'query=ASK{}', '-w', '%{http_code}', '-o', file('body')];
    const forms = [`${at.token}:`, `:${at.token}`, `${at.token}:X`, `${at.account}:${at.token}`];
    for (const user of forms) expect((await anonymous('/sparql', ...ask, '-u', user)).stdout).toBe('200');
    expect((await anonymous('/sparql', ...ask, '--oauth2-bearer', at.token)).stdout).toBe('200');
    await writeFile(file('netrc'), `machine 127.0.0.1 login ${at.token} password X\n`);
    expect((await anonymous('/sparql', ...ask, '--netrc-file', file('netrc'))).stdout).toBe('200');
    // It first asks without credentials, to learn what is wanted.
    expect((await anonymous('/sparql', ...ask, '--anyauth', '-u', `${at.token}:`)).stdout).toBe('200');
    expect((await anonymous('/sparql', ...ask)).stdout).toBe('401');
    expect((await anonymous('/sparql', ...ask, '-u', 'nothing:')).stdout).toBe('401');
  });

  test('files are uploaded', async () => {
    const graph = `/service?graph=${GRAPH}`;
    expect(await status(graph, ...TURTLE, '-T', file('people.ttl'))).toBe('201');
    expect(await status('/statements', ...TURTLE, '--data-binary', `@${file('people.ttl')}`)).toBe('204');
    expect(
      await status('/statements', '-F', `file=@${file('people.ttl')}`, '--form-string', `context=<${EX}form>`),
    ).toBe('204');
    const packed = ['-H', 'Content-Encoding: gzip', '--data-binary', `@${file('people.ttl.gz')}`];
    expect(await status(`/statements?context=%3C${EX}packed%3E`, ...TURTLE, ...packed)).toBe('204');
    // In chunks, as from a pipe.
    const chunked = ['-H', 'Transfer-Encoding: chunked', '-T', file('people.ttl')];
    expect(await status(`/service?graph=${EX}chunked`, ...TURTLE, ...chunked)).toBe('201');
    expect(await at.size()).toBe(5 * SIZE);
    const contexts = await curl('/contexts', ...CSV);
    expect(rows(contexts).slice(1).sort()).toEqual(['chunked', 'form', 'graph', 'packed'].map((name) => EX + name));
  });

  test('a large file, for which it waits to be told to continue', async () => {
    const line = (i: number): string => `<${EX}s${String(i)}> <${EX}p> "${'x'.repeat(60)}" .\n`;
    await writeFile(file('large.nt'), Array.from({ length: 20_000 }, (_, i) => line(i)).join(''));
    const args = ['-X', 'PUT', '-H', 'Expect: 100-continue', '-H', 'Content-Type: application/n-triples'];
    expect(await status('/statements', ...args, '--data-binary', `@${file('large.nt')}`)).toBe('204');
    expect(await at.size()).toBe(20_000);
    expect(await status('/statements', '--compressed')).toBe('200');
    const lines = (await readFile(file('body'), 'utf8')).trim().split('\n');
    expect([lines.length, new Set(lines).size]).toEqual([20_000, 20_000]);
    expect(await anonymous('/statements', ...args, '-f', '--data-binary', `@${file('large.nt')}`)).toMatchObject({
      code: 22,
    });
  });

  test('documents come down, compressed or not, whole or not at all', async () => {
    // A few lines are not worth to be compressed.
    const many = Array.from({ length: 300 }, (_, i) => `<${EX}s${String(i)}> <${EX}p> ${String(i)} .\n`);
    await writeFile(file('many.ttl'), many.join(''));
    expect(await status('/statements', ...TURTLE, '--data-binary', `@${file('many.ttl')}`)).toBe('204');
    const plain = await curl('.ttl');
    for (const coding of ['gzip', 'deflate', 'br']) {
      const packed = ['--compressed', '-H', `Accept-Encoding: ${coding}`, '-D', file('headers')];
      expect((await curl('.ttl', ...packed)).stdout).toBe(plain.stdout);
      expect(await readFile(file('headers'), 'utf8')).toMatch(new RegExp(`^content-encoding: ${coding}\r$`, 'im'));
    }
    expect((await curl('.ttl', '-0')).stdout).toBe(plain.stdout);
    const head = (await curl('/statements', '-I')).stdout;
    expect(head).toMatch(/^HTTP\/1\.1 200/);
    expect(head).toMatch(/^content-type: text\/plain/im);
  });

  test('what is unchanged is not sent again, and what has changed is not overwritten', async () => {
    await curl('/statements', '--etag-save', file('etag'), '-o', file('body'));
    expect(await status('/statements', '--etag-compare', file('etag'))).toBe('304');
    const revision = (await readFile(file('etag'), 'utf8')).trim();
    const update = ['-H', `If-Match: ${revision}`, '--data-urlencode', `update=CLEAR ALL`];
    await curl('/sparql', '--data-urlencode', `update=INSERT DATA { <${EX}a> <${EX}p> 1 }`);
    expect(await status('/statements', '--etag-compare', file('etag'))).toBe('200');
    expect(await status('/sparql', ...update)).toBe('412');
    expect(await at.size()).toBe(SIZE + 1);
  });

  test('errors', async () => {
    expect(await status('/sparql', '-d', 'query=SELECT')).toBe('400');
    expect(await status('/statements', ...TURTLE, '-d', '<a>')).toBe('400');
    expect(JSON.parse(await readFile(file('body'), 'utf8'))).toMatchObject({ status: 400, line: 1 });
    expect(await status('/statements', '--data-binary', `@${file('people.ttl')}`)).toBe('400');
    expect(await status('/statements', '-H', 'Content-Type: image/png', '-d', 'x')).toBe('415');
    expect(await status('-not/statements')).toBe('404');
    expect(await at.size()).toBe(SIZE);
  });
});
