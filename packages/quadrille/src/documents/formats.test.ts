import { expect, test } from 'vitest';
import { lines, repository } from '../testing/fixtures.js';
import { hostOf } from '../host/index.js';

const RDF_XML = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">
  <rdf:Description rdf:about="http://example.org/a"><e:p rdf:resource="http://example.org/b"/></rdf:Description>
</rdf:RDF>`;
const JSON_LD = '{"@id":"http://example.org/c","http://example.org/p":{"@id":"http://example.org/d"}}';

test('formats that are loaded late are found by media type, extension and name', async () => {
  const repo = await repository();
  await repo.load({ text: RDF_XML }, { format: 'application/rdf+xml' });
  await repo.load({ text: JSON_LD }, { format: 'jsonld' });
  expect(await lines(repo.quads())).toEqual(['a p b', 'c p d']);
  expect((await repo.dump('jsonld').toArray()).join('')).toContain('"@id"');
  expect((await hostOf(repo).serialize('CONSTRUCT WHERE { ?s ?p ?o }', 'rdf/xml').toArray()).join('')).toContain(
    'rdf:RDF',
  );
  const unknown = { code: 'INVALID_OPTION', message: /unknown format "foo"; known: .*JSON-LD/ };
  await expect(repo.dump('foo').toArray()).rejects.toMatchObject(unknown);
  await expect(repo.load({ text: '' }, { format: 'foo' })).rejects.toMatchObject(unknown);
});
