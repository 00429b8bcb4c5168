import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { lines, repository } from '../testing/fixtures.js';

const RDF_XML = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">
  <rdf:Description rdf:about="http://example.org/a"><e:p rdf:resource="http://example.org/b"/></rdf:Description>
</rdf:RDF>`;
const JSON_LD = '{"@id":"http://example.org/c","http://example.org/p":{"@id":"http://example.org/d"}}';

test('formats of @quadrille/formats-extra are found where it is installed', async () => {
  const repo = await repository();
  await repo.load({ text: RDF_XML }, { format: 'application/rdf+xml' });
  await repo.load({ text: JSON_LD }, { format: 'jsonld' });
  expect(await lines(repo.quads())).toEqual(['a p b', 'c p d']);
  expect((await repo.dump('jsonld').toArray()).join('')).toContain('"@id"');
  expect((await repo.serialize('CONSTRUCT WHERE { ?s ?p ?o }', 'rdf/xml').toArray()).join('')).toContain('rdf:RDF');
  const unknown = { code: 'INVALID_OPTION', message: /unknown format "foo"; known: .*JSON-LD/ };
  await expect(repo.dump('foo').toArray()).rejects.toMatchObject(unknown);
  await expect(repo.load({ text: '' }, { format: 'foo' })).rejects.toMatchObject(unknown);
});

test('where it is not installed, the error names it', () => {
  const library = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href;
  const hook = `export const resolve = (name, context, next) => {
    if (/formats-extra$/.test(name)) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  };`;
  const program = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));
    const { open } = await import(${JSON.stringify(library)});
    const db = await open(':memory:');
    const repo = await db.repository('r', { create: true });
    const told = (error) => console.log(error.code, error.message);
    await repo.load({ text: '{}' }, { format: 'jsonld' }).catch(told);
    await repo.dump('rdf/xml').toArray().catch(told);
    await repo.load({ text: '' }, { format: 'ttl' });
    await db.close();`;
  const stdout = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  const told = stdout.trim().split('\n');
  expect(told).toHaveLength(2);
  for (const line of told) expect(line).toMatch(/^INVALID_OPTION unknown .*npm install @quadrille\/formats-extra$/);
});
