// Debian's rapper (raptor2-utils) and roqet (rasqal-utils), which carry the token in the address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Endpoint, endpoint, EX, has, type Output, PREFIXES, run, SIZE } from './endpoint.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const NAMES = `${PREFIXES} SELECT ?name ?age { ?s foaf:name ?name ; ex:age ?age } ORDER BY ?age`;

let at: Endpoint;
/** The repository with the token. */
let address: string;
beforeAll(async () => {
  at = await endpoint();
  await at.reset();
  address = at.repository.replace('//', `//${at.token}:X@`);
});
afterAll(() => at?.stop());

const lines = (text: string): string[] => text.trim().split('\n');

describe.skipIf(!has('rapper', '--version'))('rapper (needs Debian raptor2-utils)', () => {
  const rapper = (...args: string[]): Promise<Output> => run('rapper', ['-q', '-o', 'nquads', ...args]);

  // The media types that it accepts differ with its parser; `guess` takes them all.
  test.each(['guess', 'rdfxml', 'ntriples', 'turtle', 'trig', 'json', 'nquads'])(
    'reads statements: %s',
    async (parser) => {
      const { code, stdout } = await rapper('-i', parser, `${address}/statements`);
      expect(code).toBe(0);
      expect(lines(stdout)).toHaveLength(SIZE);
      expect(lines(stdout)).toContain(`<${EX}ada> <${EX}age> "36"^^<${XSD}integer> .`);
      expect(lines(stdout)).toContain(`<${EX}charles> <http://xmlns.com/foaf/0.1/title> "Gr\\u00FCnder"@de .`);
    },
  );

  test.each(['.nt', '.ttl', '.rdf', '.nq', '.trig', '.rj'])(
    'reads the repository by its extension: %s',
    async (extension) => {
      const { code, stdout } = await rapper('-g', address + extension);
      expect([code, lines(stdout).length]).toEqual([0, SIZE]);
    },
  );

  test('reads a graph, and the graph of a query', async () => {
    const headers = { Authorization: at.basic, 'Content-Type': 'application/rdf+xml' };
    const { stdout: written } = await run('rapper', ['-q', '-o', 'rdfxml-abbrev', '-g', `${address}/statements`]);
    const graph = `/service?graph=${EX}copy`;
    expect((await fetch(at.repository + graph, { method: 'PUT', headers, body: written })).status).toBe(201);
    const named = await rapper('-g', address + graph);
    expect(lines(named.stdout)).toHaveLength(SIZE);
    const query = encodeURIComponent(`${PREFIXES} CONSTRUCT { ?o ex:knownBy ?s } WHERE { ?s foaf:knows ?o }`);
    const built = await rapper('-g', `${address}/sparql?query=${query}`);
    expect(built.stdout).toBe(`<${EX}charles> <${EX}knownBy> <${EX}ada> .\n`);
    expect((await fetch(at.repository + graph, { method: 'DELETE', headers })).status).toBe(204);
  });

  test('is told when there is nothing for it', async () => {
    for (const refused of [`${at.repository}/statements`, `${address}-not/statements`]) {
      const { code, stdout } = await rapper('-g', refused);
      expect([code, stdout]).toEqual([1, '']);
    }
  });
});

describe.skipIf(!has('roqet', '--version'))('roqet (needs Debian rasqal-utils)', () => {
  const roqet = (query: string, ...args: string[]): Promise<Output> =>
    run('roqet', ['-q', ...args, '-p', `${address}/sparql`, '-e', query]);

  test('SELECT', async () => {
    const { code, stdout } = await roqet(NAMES);
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      `row: [name=string("Ada Lovelace"), age=string("36"^^<${XSD}integer>)]`,
      `row: [name=string("Charles Babbage"), age=string("79"^^<${XSD}integer>)]`,
    ]);
    expect((await roqet(NAMES, '-r', 'csv')).stdout.split(/\r?\n/)).toContain('Ada Lovelace,36');
    expect((await roqet(NAMES, '-r', 'xml')).stdout).toContain('<literal>Charles Babbage</literal>');
  });

  test('an empty answer, and unbound variables', async () => {
    const empty = await roqet(`${PREFIXES} SELECT ?s { ?s a ex:Nothing }`);
    expect([empty.code, empty.stdout]).toEqual([0, '']);
    const { stdout } = await roqet(
      `${PREFIXES} SELECT ?t { ?s foaf:name ?n OPTIONAL { ?s foaf:title ?t } } ORDER BY ?n`,
    );
    expect(lines(stdout)).toEqual(['row: [t=NULL]', expect.stringMatching(/^row: \[t=string\("Gr.*nder"@de\)\]$/)]);
  });

  test('the triples of CONSTRUCT and DESCRIBE are rows for it', async () => {
    const built = await roqet(`${PREFIXES} CONSTRUCT { ?o ex:knownBy ?s } WHERE { ?s foaf:knows ?o }`);
    expect(lines(built.stdout)).toEqual([`row: [s=uri<${EX}charles>, p=uri<${EX}knownBy>, o=uri<${EX}ada>]`]);
    expect(lines((await roqet(`DESCRIBE <${EX}ada>`)).stdout)).toHaveLength(4);
  });

  test('its own query over statements that it fetches', async () => {
    const args = ['-q', '-e', NAMES, '-D', `${address}/statements`];
    expect(lines((await run('roqet', args)).stdout)).toHaveLength(2);
  });

  test('errors', async () => {
    const broken = await roqet('SELECT { ');
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('HTTP status 400')]);
    const anonymous = await run('roqet', ['-p', `${at.repository}/sparql`, '-e', NAMES]);
    expect([anonymous.code, anonymous.stderr]).toEqual([1, expect.stringContaining('HTTP status 401')]);
  });
});
