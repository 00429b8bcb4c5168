/** The first call of a function in a process loads what it needs, wherever it stands. Each call gets a process of its own. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const FOLDER = import.meta.dirname;
const MD5_OF_A = '0cc175b9c0f1b6a831c399e269772661';

/** What a program prints, which has a repository with three texts. It runs the build. */
async function printed(code: string): Promise<string> {
  const program = `
    import { open } from 'quadrille';
    const db = await open(':memory:');
    const repo = await db.repository('a/b', { create: true });
    await repo.update('INSERT DATA { <urn:1> <urn:p> "a" . <urn:2> <urn:p> "aab" . <urn:3> <urn:p> "b" }');
    const values = async (text) => (await repo.select(text).toArray()).map(({ x }) => x.value).join(' ');
    console.log(${code});
    await db.close();`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: FOLDER });
  return stdout.trim();
}

test.each([
  ['FILTER', `await values('SELECT ?x { ?s <urn:p> ?x FILTER(REGEX(?x, "^(a+)+b$")) }')`, 'aab'],
  [
    'EXISTS',
    `await values('SELECT ?x { ?s <urn:p> ?x FILTER EXISTS { ?s <urn:p> ?y FILTER REGEX(?y, "(a*)+b") } } ORDER BY ?x')`,
    'aab b',
  ],
  [
    'OPTIONAL',
    `await values('SELECT ?x { ?s ?p "a" OPTIONAL { ?t ?p ?x FILTER(REPLACE(?x, "(b+)+", "") = "aa") } }')`,
    'aab',
  ],
  ['ORDER BY', `await values('SELECT ?x { ?s <urn:p> ?x } ORDER BY MD5(?x)')`, 'a b aab'],
  ['aggregates', `await values('SELECT (MIN(MD5(?y)) AS ?x) { ?s <urn:p> ?y }')`, MD5_OF_A],
  [
    'updates',
    `await repo.update('INSERT { <urn:4> <urn:q> ?h } WHERE { <urn:1> ?p ?y BIND(MD5(?y) AS ?h) }').then(() => values('SELECT ?x { ?s <urn:q> ?x }'))`,
    MD5_OF_A,
  ],
  [
    'SERVICE of a repository',
    `await values('SELECT ?x { SERVICE <repo:a/b> { ?s ?p ?x FILTER(REGEX(?x, "^(a+)+b$")) } }')`,
    'aab',
  ],
  [
    'SERVICE with a variable',
    `await values('SELECT ?x { VALUES ?r { <repo:a/b> } SERVICE ?r { ?s ?p ?x FILTER(REGEX(?x, "^(a+)+b$")) } }')`,
    'aab',
  ],
])('in %s', async (_place, code, expected) => {
  expect(await printed(code)).toBe(expected);
});
