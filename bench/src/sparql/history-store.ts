/** A store with many later revisions above the revision that contains the data set. */
import { seededRandom } from '@quadrille/storage/testing';
import { open, quad } from 'quadrille';
import type { Repository } from 'quadrille';
import type * as RDF from '@rdfjs/types';
import { REPOSITORY } from '../data-sets.js';

/** The revision of the load. Revision 1 is the empty repository. */
export const DATA_REVISION = 2;
const REVISIONS = 50;
const CHANGES = 1000;

/** Adds revisions. Each removes quads of the data set and adds as many with the same subjects and other objects. */
export async function addRevisions(path: string): Promise<void> {
  const db = await open(path, { durability: 'process', create: false });
  const repository = await db.repository(REPOSITORY);
  const half = CHANGES / 2;
  const quads = await sample(repository, REVISIONS * half);
  for (let from = 0; from < quads.length; from += half) {
    const removed = quads.slice(from, from + half);
    const added = removed.map(({ subject }, at) => {
      const { predicate, object } = removed[(at + 1) % half]!;
      return quad(subject, predicate, object);
    });
    await repository.transaction(async (transaction) => {
      await transaction.remove(removed);
      await transaction.add(added);
    });
  }
  const { number } = await repository.revision();
  await db.close();
  if (number !== DATA_REVISION + REVISIONS)
    throw new Error(`the last revision is ${number}, which is not the expected number`);
}

/** A sample of quads, the same each time, in an order that is independent of their order in the store. */
async function sample(repository: Repository, wanted: number): Promise<RDF.Quad[]> {
  const random = seededRandom(2);
  const share = (wanted * 1.1) / (await repository.size());
  const found: { readonly at: number; readonly quad: RDF.Quad }[] = [];
  for await (const one of repository.quads()) if (random() < share) found.push({ at: random(), quad: one });
  if (found.length < wanted) throw new Error(`${found.length} quads instead of ${wanted}`);
  return found
    .sort((one, other) => one.at - other.at)
    .slice(0, wanted)
    .map((one) => one.quad);
}
