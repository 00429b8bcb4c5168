import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { blankNode, iri, literal } from 'quadrille';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingOf } from '../missing.js';
import { formOf } from '../query-form.js';
import { asked, termOf } from './answers.js';
import { configuration } from './configuration.js';
import { findPrograms } from './programs.js';
import { VirtuosoServer } from './server.js';
import { VIRTUOSO } from './virtuoso-store.js';

let directory: string;
beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'quadrille-virtuoso-'))));
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Makes a directory with programs that print a message and fail. */
async function folder(name: string, ...programs: string[]): Promise<string> {
  const path = join(directory, name);
  await mkdir(path);
  for (const program of programs) {
    await writeFile(join(path, program), '#!/bin/sh\necho "Version 7.9.1-x"\nexit 1\n');
    await chmod(join(path, program), 0o755);
  }
  return path;
}

async function withPath<T>(path: string, use: () => T | Promise<T>): Promise<T> {
  const before = process.env['PATH'];
  process.env['PATH'] = `${path}${delimiter}/bin${delimiter}/usr/bin`;
  try {
    return await use();
  } finally {
    process.env['PATH'] = before;
  }
}

describe('programs', () => {
  it('are a server and the client beside it, in the PATH', async () => {
    const alone = await folder('alone', 'virtuoso-t');
    const both = await folder('both', 'virtuoso-t', 'isql-v');
    expect(findPrograms('')).toBeUndefined();
    expect(findPrograms([directory, alone].join(delimiter))).toBeUndefined();
    const found = { server: join(both, 'virtuoso-t'), client: join(both, 'isql-v') };
    expect(findPrograms([alone, both].join(delimiter))).toEqual(found);
    await withPath(both, () => {
      expect(VIRTUOSO.program!.version()).toBe('7.9.1');
      expect(missingOf(VIRTUOSO)).toBeUndefined();
    });
    await withPath(alone, () => expect(missingOf(VIRTUOSO)).toContain('virtuoso-t has to be in the PATH'));
  });

  it('that do not start are an error', async () => {
    const broken = await folder('broken', 'virtuoso-t', 'isql-vt');
    const started = withPath(broken, () => VirtuosoServer.start(join(directory, 'store')));
    await expect(started).rejects.toThrow('virtuoso-t did not start');
  });

  it('keep all of their files in one directory, and listen where they are told', () => {
    const text = configuration({ directory: '/d', sql: '127.0.0.1:1', http: '127.0.0.1:2' });
    expect(text).toMatch(/\[Parameters\]\nServerPort = 127\.0\.0\.1:1\n/);
    expect(text).toMatch(/\[HTTPServer\]\nServerPort = 127\.0\.0\.1:2\n/);
    for (const [, file] of text.matchAll(/(?:File|_file) = (.*)/g)) expect(file).toMatch(/^\/d\//);
  });
});

describe('answers over HTTP', () => {
  const bodies: string[] = [];
  const rows = { results: { bindings: [{ a: { type: 'uri', value: 'urn:a' }, b: { type: 'bnode', value: 'b0' } }] } };
  const answers = [
    JSON.stringify(rows),
    JSON.stringify({ results: { bindings: [{ __ASK_RETVAL: { type: 'typed-literal', value: '1' } }] } }),
    JSON.stringify({ boolean: false }),
    '<urn:a>\t<urn:b> "c" .\n',
  ];
  const server = createServer((request: IncomingMessage, response) => {
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(`${request.headers.accept} ${text}`));
    const answer = answers.shift();
    request.on('end', () => response.writeHead(answer === undefined ? 400 : 200).end(answer ?? 'Error SP030\n\nquery'));
  });
  let endpoint: string;
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('are rows of terms, a truth value, quads or an error', async () => {
    const ask = (graph = false): ReturnType<typeof asked> =>
      asked(
        endpoint,
        [
          ['query', 'Q'],
          ['named-graph-uri', 'urn:g'],
          ['named-graph-uri', 'urn:h'],
        ],
        graph,
      );
    const found = await ask();
    expect(found.rows).toEqual([
      [
        ['a', iri('urn:a')],
        ['b', blankNode('b0')],
      ],
    ]);
    expect(bodies).toEqual(['application/sparql-results+json query=Q&named-graph-uri=urn%3Ag&named-graph-uri=urn%3Ah']);
    expect(await ask()).toEqual({ boolean: true });
    expect(await ask()).toEqual({ boolean: false });
    expect((await ask(true)).quads).toMatchObject([{ object: { value: 'c' } }]);
    expect(bodies.at(-1)).toContain('application/n-triples');
    await expect(ask()).rejects.toThrow(/^Error SP030$/);
  });

  it('have terms of the same kinds', () => {
    expect(termOf({ type: 'literal', value: 'a', 'xml:lang': 'en' })).toEqual(literal('a', 'en'));
    const typed = { type: 'typed-literal', value: '1', datatype: 'urn:t' } as const;
    expect(termOf(typed)).toEqual(literal('1', iri('urn:t')));
    expect(termOf({ type: 'bnode', value: 'nodeID://b1' })).toEqual(blankNode('b1'));
  });
});

it('forms are told without comments, IRIs and texts', () => {
  expect(formOf('# DESCRIBE\nPREFIX a: <urn:CONSTRUCT> SELECT ("ASK" AS ?a) {}')).toBe('SELECT');
  expect(formOf('construct { ?s ?p ?o } {}')).toBe('CONSTRUCT');
  expect(formOf('')).toBeUndefined();
});
