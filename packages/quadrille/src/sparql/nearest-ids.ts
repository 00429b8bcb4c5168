/** Asks for vectors, which few programs do, for the subjects that a query leaves. */
import { Pacer, platformEnv, type Snapshot } from '@quadrille/core';
import { EvaluationError, iri } from '@quadrille/model';
import { type Ends, type IdDataset, MISS, type NearestLiterals, type NearestQuestion } from '@quadrille/sparql';

type Dataset = Pick<IdDataset, 'find' | 'fetchTerm' | 'seeker'>;

export async function nearestIds(
  dataset: Dataset,
  searched: Pick<Snapshot, 'nearest'> | undefined,
  { subjects, ...question }: NearestQuestion,
  ends: Ends,
): Promise<NearestLiterals> {
  if (searched === undefined)
    throw new EvaluationError('UNSUPPORTED', 'vec:nearest cannot be asked here: a change is checked that no index has');
  let property = 0;
  const among = async (name: string): Promise<Uint32Array | undefined> => {
    const term = iri(name);
    for (property = dataset.find(term); property === MISS; property = dataset.find(term)) await dataset.fetchTerm();
    return subjects && objectsOf(dataset, subjects, property, ends);
  };
  const { vectors } = await searched.nearest({ ...question, among }, ends);
  return { vectors, property };
}

/** The objects that some subjects have for a property, ascending. */
async function objectsOf(dataset: Dataset, subjects: Uint32Array, property: number, ends: Ends): Promise<Uint32Array> {
  const found = new Set<number>();
  if (property === 0) return new Uint32Array(0);
  const pacer = new Pacer(platformEnv(), undefined, ends);
  const seeker = dataset.seeker({ s: true, p: true, o: false, g: false });
  try {
    for (const subject of subjects) {
      if (pacer.due()) await pacer.pause();
      seeker.seek(subject, property, 0, 0);
      for (let rows = seeker.next(); rows !== 0; rows = seeker.next()) {
        if (rows === MISS) await seeker.fetch();
        else for (let row = seeker.start; row < seeker.end; row++) found.add(seeker.o[row]!);
      }
    }
  } finally {
    seeker.close();
  }
  return Uint32Array.from(found).sort();
}
