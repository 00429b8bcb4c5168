/** Opens Quadrille over a storage driver, and reads its answers. */
import type { StorageDriver } from '@quadrille/storage';
import { asStore, open } from 'quadrille';
import type { Durability, ReadView } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { comparableText, quadRow } from '../sparql/answer.js';
import type { AnswerDigest } from '../sparql/answer.js';
import type { OpenStore, Visit } from './store.js';

export async function openQuadrille(storage: StorageDriver, durability: Durability): Promise<OpenStore> {
  const db = await open({ storage }, { durability });
  const repository = await db.repository(REPOSITORY, { create: true });
  return {
    load: async (file) => void (await repository.load(file)),
    size: () => repository.size(),
    scan: (visit) => visitAll(repository, undefined, visit),
    lookup: (subject, visit) => visitAll(repository, { subject }, visit),
    match: (subject) => asStore(repository).match(subject),
    add: async (quads) => void (await repository.add(quads)),
    run: (text, digest) => runQuery(repository, text, digest),
    history: {
      revision: async () => (await repository.revision()).number,
      lookup: (revision, subject, visit) => visitAll(repository.at(revision), { subject }, visit),
    },
    close: () => db.close(),
  };
}

async function visitAll(view: ReadView, pattern: Parameters<ReadView['quads']>[0], visit: Visit): Promise<void> {
  for await (const quad of view.quads(pattern)) visit(quad);
}

/**
 * Reads the answer to its last row. Returns the number of rows.
 * @param timeoutMs milliseconds, default no limit
 */
export async function runQuery(
  view: ReadView,
  text: string,
  digest?: AnswerDigest,
  timeoutMs?: number,
): Promise<number> {
  const answer = await view.query(text, limited(timeoutMs));
  let rows = 0;
  if (answer.type === 'bindings') {
    for await (const row of answer.rows) {
      rows++;
      digest?.add(Object.entries(row).map(([name, term]) => [name, comparableText(term)]));
    }
  } else if (answer.type === 'quads') {
    for await (const quad of answer.quads) {
      rows++;
      digest?.add(quadRow(quad));
    }
  } else {
    rows = answer.value ? 1 : 0;
  }
  return rows;
}

const limited = (timeoutMs?: number): { timeoutMs?: number } => (timeoutMs === undefined ? {} : { timeoutMs });

/** Reads the text of each term of an answer. Returns their length in characters. */
export async function readTexts(view: ReadView, text: string, timeoutMs?: number): Promise<number> {
  const answer = await view.query(text, limited(timeoutMs));
  let length = 0;
  if (answer.type === 'bindings') {
    for await (const row of answer.rows) for (const name in row) length += row[name]!.value.length;
  } else if (answer.type === 'quads') {
    for await (const { subject, predicate, object } of answer.quads)
      length += subject.value.length + predicate.value.length + object.value.length;
  }
  return length;
}
