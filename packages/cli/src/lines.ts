/** Quads, changes and revisions as lines of text. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import type { DiffEntry, Repository, Revision, SpaceReport } from 'quadrille';

export function nquadsLine({ subject, predicate, object, graph }: RDF.Quad): string {
  const terms = [subject, predicate, object, graph].map(termToNTriples).filter((text) => text !== '');
  return `${terms.join(' ')} .`;
}

/** The changes of a revision. The first one that a trim has kept has all its quads for changes. */
export async function* changesOf(
  repository: Repository,
  { number, parent }: Revision,
  signal: AbortSignal,
): AsyncGenerator<DiffEntry> {
  if (parent !== undefined) return yield* repository.diff(parent, number, {}, { signal });
  for await (const quad of repository.at(number).quads({}, { signal })) yield { op: 'add', quad };
}

/** Changes as rows of RDF Patch, or as JSON. */
export async function* changeLines(changes: AsyncIterable<DiffEntry>, json: boolean): AsyncGenerator<string> {
  const { patchRowText } = await import('@quadrille/formats/patch');
  for await (const { op, quad } of changes) {
    yield json
      ? `${JSON.stringify({ op, quad: nquadsLine(quad) })}\n`
      : patchRowText({ type: op === 'add' ? 'add' : 'delete', quad });
  }
}

/** `3  2026-11-21 10:00:00Z  +12 -3  45 quads  jo: add Carol  (019…)` */
export function revisionLine(revision: Revision): string {
  const { added, removed, size, id } = revision;
  const [number, when, ...note] = revisionNote(revision);
  const columns = [number, when, `+${String(added)} -${String(removed)}`, quads(size), ...note];
  return `${columns.join('  ')}  (${id})`;
}

/** `#3`, `2026-11-21 10:00:00Z` and, if there is one, `jo: add Carol`. */
export function revisionNote({ number, time, author, message }: Revision): string[] {
  const note = [author, message].filter((text) => text !== undefined && text !== '').join(': ');
  const when = time
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
  return [`#${String(number)}`, when, ...(note === '' ? [] : [note.replace(/\s+/g, ' ')])];
}

export const quads = (count: number): string => `${String(count)} ${count === 1 ? 'quad' : 'quads'}`;

export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? String(value) : value.toFixed(1)} ${units[unit] ?? ''}`;
}

export const spaceLine = (done: string, { bytesBefore, bytesAfter }: SpaceReport): string =>
  `${done}: ${bytes(bytesBefore)} before, ${bytes(bytesAfter)} after`;
