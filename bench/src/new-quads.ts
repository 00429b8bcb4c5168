/** New quads, some with new terms, and the rates of small commits of them. */
import type * as RDF from '@rdfjs/types';
import { iri, quad } from '@quadrille/model';
import type { Repository } from 'quadrille';
import { callRate, type RateTimes } from './call-rate.js';
import { checkCount } from './data-sets.js';

export function* newQuads(): Generator<RDF.Quad> {
  for (let n = 0; ; n++) {
    const subject = iri(`http://example.org/item/${Math.floor(n / 8)}`);
    yield quad(subject, iri(`http://example.org/property/${n % 8}`), iri(`http://example.org/value/${n % 1000}`));
  }
}

/** Commits per second of one client, each of `size` quads. */
export async function commitRate(repository: Repository, times: RateTimes, size = 1): Promise<number> {
  const quads = newQuads();
  const next = (): RDF.Quad => quads.next().value;
  const add = (): Promise<unknown> => repository.add(size === 1 ? next() : Array.from({ length: size }, next));
  return callRate(async () => void (await add()), times);
}

/** Commits per second of many clients together. Each waits for its own commit. The repository must be empty. */
export async function clientsRate(
  repository: Repository,
  clients: number,
  { warmMs, measureMs }: RateTimes,
): Promise<number> {
  const quads = newQuads();
  let commits = 0;
  const stop = new AbortController();
  const client = async (): Promise<void> => {
    for (; !stop.signal.aborted; commits++) await repository.add(quads.next().value);
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  await new Promise((resolve) => setTimeout(resolve, warmMs));
  const [before, start] = [commits, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, measureMs));
  const perSecond = (commits - before) / ((performance.now() - start) / 1000);
  stop.abort();
  await all;
  checkCount('clients', await repository.size(), commits);
  return perSecond;
}
