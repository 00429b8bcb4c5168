/** Random property paths that lead at least where a given property leads. */
import type { Chance } from '../chance.js';
import { TERMS } from '../data.js';
import type { Path, TermText } from '../syntax.js';

export interface RandomPath {
  readonly path: Path;
  /** Whether it leads from the object to the subject. */
  readonly swapped: boolean;
}

const iri = (name: TermText): Path => ({ path: 'iri', iri: name });

export function randomPath(chance: Chance, link: TermText): RandomPath {
  const path = wrap(chance, iri(link), link, 2);
  if (chance.in(0.25)) return { path: { path: 'inverse', of: path }, swapped: true };
  return { path: path.path === 'iri' ? { path: 'plus', of: path } : path, swapped: false };
}

function wrap(chance: Chance, path: Path, link: TermText, depth: number): Path {
  if (depth === 0) return path;
  const inner = wrap(chance, path, link, depth - 1);
  const other = chance.among(TERMS.links);
  return chance.weighted<() => Path>([
    [1, () => inner],
    [2, () => ({ path: 'star', of: inner })],
    [2, () => ({ path: 'plus', of: inner })],
    [2, () => ({ path: 'maybe', of: inner })],
    [2, () => ({ path: 'alternative', parts: chance.shuffled([inner, side(chance, other)]) })],
    [2, () => ({ path: 'sequence', parts: chance.shuffled([inner, optional(chance, other)]) })],
    [0.7, () => ({ path: 'sequence', parts: [inner, iri(other)] })],
    [1.5, () => ({ path: 'not', iris: except(chance, link) })],
    [0.7, () => ({ path: 'inverse', of: { path: 'inverse', of: inner } })],
  ])();
}

const side = (chance: Chance, link: TermText): Path =>
  chance.in(0.3) ? { path: 'inverse', of: iri(link) } : iri(link);

const optional = (chance: Chance, link: TermText): Path => ({
  path: chance.among(['maybe', 'star'] as const),
  of: side(chance, link),
});

function except(chance: Chance, link: TermText): TermText[] {
  const others = [...TERMS.links, ...TERMS.values].filter((name) => name !== link);
  const iris = chance.times(1, 2, () => chance.among(others));
  return chance.in(0.3) ? [...iris, `^${chance.among(others)}`] : iris;
}
