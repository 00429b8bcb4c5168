/** What the tests of the library share: databases that close with their test, and terms made of short names. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as RDF from '@rdfjs/types';
import { onTestFinished } from 'vitest';
import type { Database, DiffEntry, OpenOptions, Repository } from '../index.js';
import { iri, literal, open, quad, termToText } from '../index.js';

export const EX = 'http://example.org/';
export const ex = (name: string): RDF.NamedNode => iri(EX + name);

/** `q('s p o')` or `q('s p o g')`; an object in quotes is a literal. */
export function q(text: string): RDF.Quad {
  const [s = '', p = '', o = '', g] = text.split(' ');
  const object = o.startsWith('"') ? literal(o.slice(1, -1)) : ex(o);
  return g === undefined ? quad(ex(s), ex(p), object) : quad(ex(s), ex(p), object, ex(g));
}

/** `count` quads `<prefix><i> p o<i>`. */
export const many = (count: number, prefix = 's'): RDF.Quad[] =>
  Array.from({ length: count }, (_, i) => q(`${prefix}${i} p o${i}`));

const short = (text: string): string => text.replaceAll(new RegExp(`<${EX}([^>]*)>`, 'g'), '$1');
export const term = (candidate: RDF.Term): string => short(termToText(candidate));

/** A quad as `q` reads it. */
export function line({ subject, predicate, object, graph }: RDF.BaseQuad): string {
  return [subject, predicate, object, graph]
    .filter(({ termType }) => termType !== 'DefaultGraph')
    .map(term)
    .join(' ');
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const lines = async (quads: AsyncIterable<RDF.BaseQuad>): Promise<string[]> =>
  (await all(quads)).map(line).toSorted();

/** `+ s p o` and `- s p o`, in order. */
export const changes = async (entries: AsyncIterable<DiffEntry>): Promise<string[]> =>
  (await all(entries)).map(({ op, quad: changed }) => `${op === 'add' ? '+' : '-'} ${line(changed)}`).toSorted();

export async function memory(options?: OpenOptions): Promise<Database> {
  const db = await open(':memory:', options);
  onTestFinished(() => db.close());
  return db;
}

export async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'quadrille-library-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A repository in memory with these quads. */
export async function repository(...quads: string[]): Promise<Repository> {
  const repo = await (await memory()).repository('acme/people', { create: true });
  await repo.namespaces.set('ex', EX);
  if (quads.length > 0) await repo.add(quads.map(q));
  return repo;
}
