/** How much a difference changes, in all and by predicate. */
import type { DiffEntry } from 'quadrille';

interface Changes {
  added: number;
  removed: number;
}
export interface DiffSummary extends Readonly<Changes> {
  /** Those with the most changes first, at most 1,000. Terms are in the syntax of N-Triples. */
  readonly predicates: readonly (Readonly<Changes> & { readonly term: string })[];
}

/** Predicates that are counted. Changes of others are counted in all. */
const MOST_COUNTED = 100_000;
const MOST_TOLD = 1000;

export async function diffSummary(entries: AsyncIterable<DiffEntry>): Promise<DiffSummary> {
  const all: Changes = { added: 0, removed: 0 };
  const byPredicate = new Map<string, Changes>();
  for await (const { op, quad } of entries) {
    const side = op === 'add' ? 'added' : 'removed';
    all[side]++;
    const { value } = quad.predicate;
    let counts = byPredicate.get(value);
    if (counts === undefined) {
      if (byPredicate.size >= MOST_COUNTED) continue;
      byPredicate.set(value, (counts = { added: 0, removed: 0 }));
    }
    counts[side]++;
  }
  const sum = ({ added, removed }: Changes): number => added + removed;
  const ranked = [...byPredicate].toSorted(
    ([name, one], [other, two]) => sum(two) - sum(one) || (name < other ? -1 : 1),
  );
  const predicates = ranked.slice(0, MOST_TOLD).map(([value, counts]) => ({ term: `<${value}>`, ...counts }));
  return { ...all, predicates };
}
