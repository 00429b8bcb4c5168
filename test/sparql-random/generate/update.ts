/** Random sequences of update operations. */
import type { Chance } from '../chance.js';
import { isBlank, randomLiteral, TERMS, type QuadText } from '../data.js';
import { PatternMaker } from './pattern.js';
import { randomTemplate } from './query.js';
import { Scope } from './scope.js';
import type { GraphTriples, TermText, Triple, Update } from '../syntax.js';

export function randomUpdates(chance: Chance, data: readonly QuadText[]): Update[] {
  let number = 0;
  return chance.times(1, 4, () => randomUpdate(chance, data, ++number));
}

function randomUpdate(chance: Chance, data: readonly QuadText[], number: number): Update {
  return chance.weighted<() => Update>([
    [2, () => ({ update: 'INSERT DATA', quads: chance.times(1, 2, () => newData(chance, number)) })],
    [2, () => ({ update: 'DELETE DATA', quads: chance.times(1, 2, () => oldData(chance, data)) })],
    [2, () => ({ update: 'DELETE WHERE', quads: [deletePattern(chance, data)] })],
    [10, () => modify(chance, data, number)],
    [0.7, () => graphUpdate(chance, 'CLEAR')],
    [0.7, () => graphUpdate(chance, 'DROP')],
    [0.7, () => ({ update: 'CREATE', silent: chance.in(0.6), target: `GRAPH ${chance.among(TERMS.graphs)}` })],
    [0.8, () => transfer(chance, 'COPY')],
    [0.8, () => transfer(chance, 'MOVE')],
    [0.8, () => transfer(chance, 'ADD')],
  ])();
}

const graphUpdate = (chance: Chance, update: 'CLEAR' | 'DROP'): Update => ({
  update,
  silent: chance.in(0.5),
  target: chance.weighted([
    [5, `GRAPH ${chance.among([...TERMS.graphs, 'ex:none'])}`],
    [1, 'DEFAULT'],
    [1, 'NAMED'],
    [0.5, 'ALL'],
  ]),
});

function transfer(chance: Chance, update: 'COPY' | 'MOVE' | 'ADD'): Update {
  const graph = (): TermText => (chance.in(0.3) ? 'DEFAULT' : chance.among([...TERMS.graphs, 'ex:none']));
  return { update, silent: chance.in(0.7), source: graph(), destination: graph() };
}

const inSomeGraph = (chance: Chance, graphs: readonly TermText[], triples: readonly Triple[]): GraphTriples =>
  chance.in(0.5) ? { triples } : { graph: chance.among(graphs), triples };

// No two INSERT DATA of a request may have a label in common.
function newData(chance: Chance, number: number): GraphTriples {
  const node = (): TermText => (chance.in(0.15) ? `_:x${number}` : iri(chance));
  const triple = (): Triple =>
    chance.in(0.5)
      ? [node(), chance.among(TERMS.links), node()]
      : [node(), chance.among(TERMS.values), randomLiteral(chance)];
  return inSomeGraph(chance, TERMS.graphs, chance.times(1, 3, triple));
}

const iri = (chance: Chance): TermText => chance.among(TERMS.nodes.filter((node) => !isBlank(node)));

function oldData(chance: Chance, data: readonly QuadText[]): GraphTriples {
  const quads = data.filter((quad) => !quad.some((term) => term.includes('_:')));
  if (quads.length === 0) return { triples: [[iri(chance), 'ex:p', iri(chance)]] };
  const graph = chance.among(quads)[3];
  const inGraph = quads.filter((quad) => quad[3] === graph);
  const triples = chance.times(1, 3, (): Triple => chance.among(inGraph).slice(0, 3) as unknown as Triple);
  return graph === '' ? { triples } : { graph, triples };
}

const source = (data: readonly QuadText[], defaultGraphs = [''], namedGraphs = TERMS.graphs) => ({
  data,
  defaultGraphs,
  namedGraphs,
});

// Neither paths nor blank nodes may stand in it.
function deletePattern(chance: Chance, data: readonly QuadText[]): GraphTriples {
  const name = chance.among(['', ...TERMS.graphs]);
  const graph = data.some((quad) => quad[3] === name) ? name : data[0]![3];
  const maker = new PatternMaker(chance, source(data));
  for (;;) {
    const { triples } = maker.triples(new Scope(graph));
    if (triples.some(([s, p, o]) => typeof p !== 'string' || `${s} ${o}`.includes('_:'))) continue;
    if (graph === '') return { triples };
    return { graph: chance.in(0.4) ? '?g' : graph, triples };
  }
}

function modify(chance: Chance, data: readonly QuadText[], number: number): Update {
  const withGraph = chance.in(0.25) ? chance.among(TERMS.graphs) : undefined;
  const using = chance.in(0.2) ? chance.times(1, 2, () => chance.among(TERMS.graphs)) : [];
  const usingNamed = chance.in(0.2) ? chance.times(1, 2, () => chance.among(TERMS.graphs)) : [];
  const given = using.length + usingNamed.length > 0;
  const defaults = given ? using : [withGraph ?? ''];
  const from = source(data, defaults, given ? usingNamed : TERMS.graphs);
  const maker = new PatternMaker(chance, from, `_:u${number}x`);
  const scope = new Scope();
  const where = maker.where(
    scope,
    chance.weighted([
      [2, 0],
      [3, 1],
      [2, 2],
    ]),
  );
  const both = chance.below(3);
  return {
    update: 'modify',
    ...(withGraph === undefined ? {} : { with: withGraph }),
    ...(both === 0 ? {} : { delete: [templateIn(chance, scope, true)] }),
    ...(both === 1
      ? {}
      : { insert: [templateIn(chance, scope, false), ...chance.times(0, 1, () => templateIn(chance, scope, false))] }),
    using,
    usingNamed,
    where,
  };
}

function templateIn(chance: Chance, scope: Scope, isRemoval: boolean): GraphTriples {
  const triples = isRemoval ? removal(chance, scope) : randomTemplate(chance, scope);
  const graphs = scope.stored((value) => TERMS.graphs.includes(value));
  return inSomeGraph(chance, graphs.length > 0 && chance.in(0.5) ? graphs : TERMS.graphs, triples);
}

// Mostly what the pattern may have found, without new blank nodes.
function removal(chance: Chance, scope: Scope): Triple[] {
  const variables = scope.variables('stored');
  const place = (other: TermText): TermText =>
    variables.length > 0 && chance.in(0.8) ? chance.among(variables) : other;
  return chance.times(1, 3, (): Triple => [
    place(iri(chance)),
    chance.in(0.3) ? place('ex:p') : chance.among([...TERMS.links, ...TERMS.values]),
    place(iri(chance)),
  ]);
}
