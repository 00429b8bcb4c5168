/** Classes and properties of the shown revision, for completion. */
import { type CountedTerm, getSchema, getTerms } from '../api/schema.js';
import type { KnownTerm } from '../editor/completion-source.js';
import { place, repository } from '../state/repository.js';
import { at, mayScan } from '../state/revision.js';
import { hasFeature } from '../state/session.js';

const MOST_TERMS = 100;

export async function knownTerms(prefix: string): Promise<readonly KnownTerm[]> {
  const name = repository.value;
  if (name === undefined || !hasFeature('terms')) return [];
  const list = mayScan.value ? await askedTerms(name, prefix) : await termsOfSchema(name, prefix);
  const found = new Map<string, number>();
  for (const { term, count } of list) {
    if (term.startsWith('<')) found.set(term.slice(1, -1), Math.max(count, found.get(term.slice(1, -1)) ?? 0));
  }
  return [...found].map(([iri, count]) => ({ iri, count }));
}

async function askedTerms(name: string, prefix: string): Promise<CountedTerm[]> {
  const positions = ['predicate', 'class'] as const;
  const lists = positions.map((position) =>
    getTerms({ repository: name, position, prefix, at: at.value, limit: MOST_TERMS }).catch(() => []),
  );
  return (await Promise.all(lists)).flat();
}

let schema: { readonly of: string; readonly terms: Promise<readonly CountedTerm[]> } | undefined;

/** The schema is read once: it takes no statement but those of types. */
async function termsOfSchema(name: string, prefix: string): Promise<CountedTerm[]> {
  const of = `${place.value} ${at.value ?? ''}`;
  if (schema?.of !== of) {
    const terms = getSchema(name, at.value).then(
      ({ classes, properties }) => [...properties, ...classes],
      () => [],
    );
    schema = { of, terms };
  }
  const wanted = prefix.toLowerCase();
  const begins = ({ term }: CountedTerm): boolean => {
    const iri = term.slice(1, -1).toLowerCase();
    return iri.startsWith(wanted) || (/[^/#:]*$/.exec(iri)?.[0].startsWith(wanted) ?? false);
  };
  return (await schema.terms).filter(begins).slice(0, MOST_TERMS);
}
