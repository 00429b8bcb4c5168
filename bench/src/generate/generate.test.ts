import type * as RDF from '@rdfjs/types';
import { open, printTerm } from 'quadrille';
import { describe, expect, it } from 'vitest';
import { generatorOptions } from './command.js';
import { generateQuads, nquadsChunks } from './quads.js';
import { updatesOf } from './updates.js';

const textOf = (options: Parameters<typeof generateQuads>[0]): string =>
  [...nquadsChunks(generateQuads(options))].join('');
const keyOf = ({ subject, predicate, object, graph }: RDF.Quad): string =>
  [subject, predicate, object, graph].map(printTerm).join(' ');

/** Occurrences of each predicate per 1,000 quads in 1,022,446 triples of the original BSBM generator. */
const BSBM: Readonly<Record<string, number>> = {
  type: 103.8,
  publisher: 92.6,
  date: 92.6,
  productFeature: 57.2,
  vendor: 55.7,
  validTo: 55.7,
  product: 55.7,
  price: 55.7,
  deliveryDays: 55.7,
  reviewFor: 27.9,
  text: 27.9,
  title: 27.9,
  rating1: 19.4,
  rating4: 19.5,
  label: 7.7,
  comment: 7.7,
  productPropertyTextual1: 2.8,
  productPropertyNumeric4: 1.4,
  country: 1.5,
};

describe('generated data', () => {
  it('are the same for the same seed, others for another one, and exactly as many as asked for', () => {
    const text = textOf({ quads: 5000, seed: 7 });
    expect(textOf({ quads: 5000, seed: 7 })).toBe(text);
    expect(textOf({ quads: 5000, seed: 8 })).not.toBe(text);
    for (const quads of [1, 100, 12_345]) expect(textOf({ quads }).split('\n')).toHaveLength(quads + 1);
  });

  it('are read back as what they are, without a quad that comes twice', async () => {
    const text = textOf({ quads: 20_000, graphs: 5 });
    await using db = await open(':memory:');
    const repository = await db.repository('generated', { create: true });
    await repository.load({ text }, { format: 'application/n-quads' });
    expect(await repository.size()).toBe(20_000);
    expect(await repository.graphs().toArray()).toHaveLength(5);
    const found = new Set<string>();
    for await (const quad of repository.quads()) found.add(keyOf(quad));
    for (const quad of generateQuads({ quads: 20_000, graphs: 5 })) expect(found.has(keyOf(quad))).toBe(true);
  });

  it('have the shape of the Berlin SPARQL Benchmark: how often predicates come, how long texts are', () => {
    const quads = 300_000;
    const counts = new Map<string, number>();
    let bytes = 0;
    for (const { predicate, object } of generateQuads({ quads })) {
      const name = predicate.value.replace(/^.*[/#]/, '');
      counts.set(name, (counts.get(name) ?? 0) + 1);
      bytes += object.value.length;
    }
    expect(counts.size).toBe(40);
    for (const [name, perThousand] of Object.entries(BSBM)) {
      const share = (1000 * counts.get(name)!) / quads;
      expect(share / perThousand, name).toBeGreaterThan(perThousand < 10 ? 0.6 : 0.9);
      expect(share / perThousand, name).toBeLessThan(perThousand < 10 ? 1.7 : 1.1);
    }
    // About 80 bytes in the original.
    expect(bytes / quads).toBeGreaterThan(60);
    expect(bytes / quads).toBeLessThan(95);
  });

  it('keep an entity in one graph', () => {
    const graphs = new Map<string, string>();
    for (const { subject, graph } of generateQuads({ quads: 10_000, graphs: 3 })) {
      expect(graphs.get(subject.value) ?? graph.value).toBe(graph.value);
      graphs.set(subject.value, graph.value);
    }
    expect(new Set(graphs.values()).size).toBe(3);
  });
});

describe('a stream of updates', () => {
  const options = { quads: 4000, seed: 3, graphs: 2 };

  it('removes what is there and adds what is not, over several rounds', () => {
    const present = new Set([...generateQuads(options)].map(keyOf));
    const updates = updatesOf(options, 50);
    for (let index = 0; index < 15; index++) {
      const { removed, added } = updates(index);
      expect([removed.length, added.length]).toEqual([50, 50]);
      for (const quad of removed) expect(present.delete(keyOf(quad))).toBe(true);
      for (const quad of added) expect(present.has(keyOf(quad))).toBe(false);
      for (const quad of added) present.add(keyOf(quad));
    }
    expect(present.size).toBe(4000);
  });

  it('has any commit without those before it', () => {
    const { added } = updatesOf(options, 20)(9);
    expect(updatesOf(options, 20)(9).added.map(keyOf)).toEqual(added.map(keyOf));
    expect(() => updatesOf(options, 1e9)).toThrow('at most');
  });
});

it('the command takes whole numbers only', () => {
  expect(generatorOptions(['--quads', '10', '--graphs', '2'])).toEqual({ quads: 10, graphs: 2, seed: 1 });
  expect(() => generatorOptions([])).toThrow('how many quads');
  expect(() => generatorOptions(['--quads', '1.5'])).toThrow('--quads is a whole number');
});
