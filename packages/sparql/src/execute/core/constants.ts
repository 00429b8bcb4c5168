/** Ids of the constants of a plan, when it is opened. */
import { MISS } from '../../dataset/id-dataset.js';
import type { Constants } from '../../plan/constants.js';
import type { Execution } from './operator.js';

/** Constants that get their ids before the event loop may get its turn. */
const CONSTANTS_AT_ONCE = 256;

type Resolving = Pick<Execution, 'terms' | 'resolve' | 'ids' | 'control'>;

/** Ids of constants; a promise only where something has to be fetched. */
export function resolveConstants({ all }: Constants, session: Resolving): number[] | Promise<number[]> {
  const ids: number[] = [];
  if (all.length > CONSTANTS_AT_ONCE) return fetchConstants(all, session);
  for (const { term, intern, value } of all) {
    const id = given(session.ids, value) ?? session.terms.tryTerm(session.resolve(term), intern);
    if (id === MISS) return fetchConstants(all, session);
    ids.push(id);
  }
  return ids;
}

async function fetchConstants(
  all: Constants['all'],
  { terms, resolve, ids: known, control }: Resolving,
): Promise<number[]> {
  const ids: number[] = [];
  for (const { term, intern, value } of all) {
    if (ids.length % CONSTANTS_AT_ONCE === 0) await control.checkpoint();
    let id = given(known, value);
    if (id === undefined) {
      const resolved = resolve(term);
      id = terms.tryTerm(resolved, intern);
      if (id === MISS) id = await (intern ? terms.intern(resolved) : terms.find(resolved));
    }
    ids.push(id);
  }
  return ids;
}

const given = (ids: Execution['ids'], value: number): number | undefined => (value < 0 ? undefined : ids?.[value]);
