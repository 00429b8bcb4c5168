/** Which statements of a graph of shapes have a meaning. */
import type * as RDF from '@rdfjs/types';
import { termToNTriples } from '@quadrille/model';
import { SH } from '../vocabulary.js';
import { nearest, shownTerm, type Warnings } from './invalid.js';
import { PARAMETERS } from './parameters.js';
import type { TermGraph } from './term-graph.js';

/** Predicates of shapes that are no parameters, and have a meaning. */
const OTHERS: ReadonlySet<string> = new Set(
  [
    ['targetNode', 'targetClass', 'targetSubjectsOf', 'targetObjectsOf', 'target'],
    ['path', 'property', 'sparql', 'flags', 'ignoredProperties', 'severity', 'message', 'deactivated'],
    ['qualifiedValueShape', 'qualifiedMinCount', 'qualifiedMaxCount', 'qualifiedValueShapesDisjoint'],
    ['reifierShape', 'reificationRequired'],
    ['name', 'description', 'order', 'group', 'defaultValue', 'declare', 'prefixes', 'shapesGraph', 'select', 'ask'],
    [
      'nodeValidator',
      'propertyValidator',
      'validator',
      'parameter',
      'labelTemplate',
      'optional',
      'suggestedShapesGraph',
    ],
  ].flat(),
);

/** What other specifications have, and is not carried out. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  rule: 'rules are not carried out',
  values: 'values by expressions are not computed',
  expression: 'expressions of nodes are not evaluated',
  js: 'JavaScript of shapes is not run',
  entailment: 'nothing is inferred',
};

/** Names below `sh:`: those that have a meaning on a shape, and those that have one elsewhere. */
export const known = {
  carriedOut: [...Object.keys(PARAMETERS), ...OTHERS],
  elsewhere: Object.keys(ELSEWHERE),
} as const;

/** Parameters that say something of another one. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = {
  flags: ['pattern'],
  ignoredProperties: ['closed'],
  reificationRequired: ['reifierShape'],
  qualifiedMinCount: ['qualifiedValueShape'],
  qualifiedMaxCount: ['qualifiedValueShape'],
  qualifiedValueShapesDisjoint: ['qualifiedValueShape'],
  qualifiedValueShape: ['qualifiedMinCount', 'qualifiedMaxCount'],
};

/** Why `sh:name` has no meaning on a shape; `undefined` if it has one. */
export function noMeaning(graph: TermGraph, shape: RDF.Term, name: string): string | undefined {
  if (Object.hasOwn(ELSEWHERE, name)) return `sh:${name}: ${ELSEWHERE[name]!}`;
  if (!Object.hasOwn(PARAMETERS, name) && !OTHERS.has(name)) {
    const meant = nearest(name, known.carriedOut);
    const question = meant === undefined ? '' : `; did you mean sh:${meant}?`;
    return `sh:${name} is no parameter of SHACL${question}`;
  }
  const companions = COMPANIONS[name];
  if (companions === undefined || companions.some((other) => graph.sh(shape, other).length > 0)) return undefined;
  return `sh:${name} has no effect without ${companions.map((other) => `sh:${other}`).join(' or ')}`;
}

/** Warns of nodes that look like shapes, and that nothing makes one. */
export function warnOfRest(graph: TermGraph, isShape: (node: RDF.Term) => boolean, warnings: Warnings): void {
  const parameters = new Set<string>();
  for (const { node } of graph.subjects())
    for (const parameter of graph.sh(node, 'parameter')) parameters.add(termToNTriples(parameter));
  for (const { node, values } of graph.subjects()) {
    if (isShape(node) || parameters.has(termToNTriples(node)) || graph.isInstance(node, [`${SH}Parameter`])) continue;
    for (const [predicate, [value]] of values) {
      const name = predicate.startsWith(SH) ? predicate.slice(SH.length) : '';
      if (!Object.hasOwn(PARAMETERS, name) && name !== 'property' && name !== 'sparql') continue;
      const reason = 'it is no shape: it has no target and no type of SHACL, and no shape refers to it';
      warnings.add(node, `sh:${name} ${shownTerm(value!)}`, reason);
      break;
    }
  }
}
