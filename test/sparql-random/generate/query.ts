/** Random queries of all forms. */
import type { Chance } from '../chance.js';
import { isBlank, TERMS, type QuadText } from '../data.js';
import { PatternMaker } from './pattern.js';
import { topSelect } from './select.js';
import { Scope } from './scope.js';
import type { Query, TermText, Triple } from '../syntax.js';

export function randomQuery(chance: Chance, data: readonly QuadText[]): Query {
  const clause = randomDataset(chance);
  const given = clause.from.length + clause.fromNamed.length > 0;
  const maker = new PatternMaker(chance, {
    data,
    defaultGraphs: given ? clause.from : [''],
    namedGraphs: given ? clause.fromNamed : TERMS.graphs,
  });
  const depth = chance.weighted([
    [2, 1],
    [4, 2],
    [3, 3],
  ]);
  const scope = new Scope();
  return chance.weighted<() => Query>([
    [82, () => ({ form: 'SELECT', ...clause, select: topSelect(maker, depth) })],
    [6, () => ({ form: 'ASK', ...clause, where: maker.where(scope, depth) })],
    [
      7,
      () => {
        const where = maker.where(scope, depth);
        return { form: 'CONSTRUCT', ...clause, template: randomTemplate(chance, scope), where };
      },
    ],
    [
      5,
      () => {
        const where = maker.where(scope, depth);
        return { form: 'DESCRIBE', ...clause, terms: chance.times(1, 2, () => resource(chance, scope)), where };
      },
    ],
  ])();
}

function randomDataset(chance: Chance): { from: TermText[]; fromNamed: TermText[] } {
  if (!chance.in(0.1)) return { from: [], fromNamed: [] };
  return {
    from: chance.times(0, 2, () => chance.among(TERMS.graphs)),
    fromNamed: chance.times(0, 2, () => chance.among(TERMS.graphs)),
  };
}

/** Triples of the variables of a pattern, of constants and of new blank nodes. */
export function randomTemplate(chance: Chance, scope: Scope): Triple[] {
  const term = (share: number): TermText => (chance.in(share) ? chance.among(['_:x', '_:y']) : resource(chance, scope));
  return chance.times(1, 3, () => [
    term(0.3),
    chance.in(0.1) ? resource(chance, scope) : chance.among(TERMS.links),
    templateObject(chance, term),
  ]);
}

function templateObject(chance: Chance, term: (share: number) => TermText): TermText {
  if (chance.in(0.1)) return `<<( ${term(0.3)} ex:p ${term(0.2)} )>>`;
  return chance.in(0.2) ? chance.among(TERMS.numbers) : term(0.2);
}

function resource(chance: Chance, scope: Scope): TermText {
  const variables = scope.variables('stored', 'text', 'integer');
  if (variables.length > 0 && chance.in(0.8)) return chance.among(variables);
  return chance.among(TERMS.nodes.filter((node) => !isBlank(node)));
}
