import { QuadCollector } from './collector.js';
import { createDefaultRegistry } from './formats.js';
import { openParser } from './open-parser.js';
import { withOtherFormat } from './other-format.js';
import { ParseError } from '@quadrille/model';
import { expect, test } from 'vitest';

const registry = createDefaultRegistry();

async function errorOf(format: string, text: string | Uint8Array): Promise<ParseError> {
  const parser = await openParser(registry.find(format), { sink: new QuadCollector(), source: 'doc' });
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const parse = async (): Promise<void> => {
    for (let at = 0; at < bytes.length; at += 40) await parser.push(bytes.subarray(at, at + 40));
    await parser.end();
  };
  const error = await parse().then(
    () => expect.fail('the document was read'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ParseError);
  return error as ParseError;
}

test.each([
  ['ttl', '<?xml version="1.0"?>\n<rdf:RDF/>', 'RDF/XML'],
  ['ttl', '\uFEFF<!-- c -->\n<rdf:RDF xmlns:rdf="x"/>', 'RDF/XML'],
  ['nt', '# a comment\n@prefix a: <urn:a> .', 'Turtle'],
  ['nq', 'PREFIX a: <urn:a>', 'Turtle'],
  ['ttl', '{ "@id": "urn:a" }', 'JSON-LD'],
  ['ttl', '<!DOCTYPE html><html>', 'HTML'],
  ['ttl', 'Prefix(:=<http://e/>)\nOntology(<http://e/o>)', 'OWL in functional syntax'],
  ['nt', 'H id <uuid:1> .\nTX .', 'RDF Patch'],
  ['ttl', Uint8Array.of(0x1f, 0x8b, 8, 0), 'gzip'],
])('%s that begins %s', async (format, text, other) => {
  const { reason, line } = await errorOf(format, text);
  expect(reason).toContain(`; the document seems to be ${other}, not ${registry.find(format).name}: name its format (`);
  expect(line).toBeLessThan(4);
});

test('the advice is given once', async () => {
  const error = await errorOf('ttl', '{ "@id": "urn:a" }');
  expect(withOtherFormat(error, new TextEncoder().encode('{ "@id": "urn:a" }'), 'Turtle')).toBe(error);
});

test('a fault of the right format is told as it is', async () => {
  expect((await errorOf('ttl', '@prefix a: <urn:a> .\na:b a:c .')).reason).not.toContain('seems');
  expect((await errorOf('trig', '[] <urn:a> .')).reason).not.toContain('seems');
  expect((await errorOf('ttl', `@prefix a: <urn:a> .\n<?xml`)).reason).not.toContain('seems');
});

test.each(['nt', 'nq', 'ttl', 'trig'])('%s shows characters that nobody can see', async (format) => {
  expect((await errorOf(format, '<urn:a> <urn:b> <urn:c> .\n\uFEFF<urn:a> <urn:b> <urn:c> .')).reason).toMatch(
    /found "\\ufeff<urn:a>", a byte order mark: were files joined\?$/,
  );
  expect((await errorOf(format, '<urn:a> <urn:b> \u200B<urn:c> .')).reason).toMatch(/found "\\u200b<urn:c>"$/);
});
