import { describe, expect, it } from 'vitest';
import { createDefaultRegistry } from './formats.js';

const registry = createDefaultRegistry();
const unknown = (what: string) =>
  expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(what) });

describe('registry', () => {
  it.each([
    ['text/turtle', 'Turtle'],
    ['Text/Turtle; charset=UTF-8', 'Turtle'],
    ['application/n-triples', 'N-Triples'],
    ['text/plain', 'N-Triples'],
    ['text/x-nquads', 'N-Quads'],
    ['application/x-trig ;version=1.2', 'TriG'],
  ])('media type %s', (type, name) => expect(registry.byMediaType(type).name).toBe(name));

  it.each([
    ['a.nt', 'N-Triples', undefined],
    ['/x/a.b.NQ.gz', 'N-Quads', 'gzip'],
    ['ttl', 'Turtle', undefined],
    ['.trig', 'TriG', undefined],
    ['ttl.gz', 'Turtle', 'gzip'],
    ['labels.ttl.bz2', 'Turtle', 'bzip2'],
    ['all.nt.ZST', 'N-Triples', 'zstd'],
  ])('file %s', (file, name, packing) => {
    const found = registry.byExtension(file);
    expect([found.format.name, found.gzip, found.packing]).toEqual([name, packing === 'gzip', packing]);
  });

  it.each([
    ['N-Triples', 'N-Triples'],
    ['ntriples', 'N-Triples'],
    ['nq', 'N-Quads'],
    ['.ttl', 'Turtle'],
    ['application/trig', 'TriG'],
  ])('find %s', (what, name) => expect(registry.find(what).name).toBe(name));

  it('names what is known where nothing is found', () => {
    expect(() => registry.byMediaType('image/png')).toThrow(unknown('application/n-triples, text/plain'));
    for (const [file, way] of [
      ['dump.ttl.xz', 'xz -dc dump.ttl.xz | quadrille load STORE - --format ttl'],
      ['a/b.TGZ', 'tar -xzOf a/b.TGZ | quadrille load STORE - --format nt'],
      ['all.zip', 'unzip -p all.zip | quadrille load STORE - --format nt'],
    ] as const)
      expect(() => registry.byExtension(file)).toThrow(way);
    expect(() => registry.byExtension('a.png')).toThrow(unknown('nt, nq, ttl, trig'));
    expect(() => registry.find('rdfxml')).toThrow(unknown('N-Triples, N-Quads, Turtle, TriG'));
    expect(() => registry.find('')).toThrow(unknown('known'));
  });

  it('finds a format that was registered later first', () => {
    const own = createDefaultRegistry();
    own.register({ name: 'Own', mediaTypes: ['text/turtle'], extensions: ['own'], namedGraphs: false });
    expect(own.byMediaType('text/turtle').name).toBe('Own');
    expect(own.list().map((format) => format.name)).toEqual(['N-Triples', 'N-Quads', 'Turtle', 'TriG', 'Own']);
  });
});
