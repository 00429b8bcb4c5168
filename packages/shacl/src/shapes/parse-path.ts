/** Reads the property path of a property shape. */
import type * as RDF from '@rdfjs/types';
import { RDF_FIRST, RDF_REST, SH } from '../vocabulary.js';
import { invalid } from './invalid.js';
import type { BoundTerm, Path } from './paths.js';
import type { TermGraph } from './term-graph.js';

/** Paths within paths. Deeper ones could overflow the stack. */
const MOST_DEPTH = 100;

const REPEATS = [
  ['zeroOrMorePath', 0, true],
  ['oneOrMorePath', 1, true],
  ['zeroOrOnePath', 0, false],
] as const;

/** Makes a term whose number is known later. */
export type Bind = (term: RDF.Term) => BoundTerm;

/** @throws ShapesError `SHAPES_INVALID` */
export function parsePath(graph: TermGraph, owner: RDF.Term, node: RDF.Term, bind: Bind, depth = 0): Path {
  if (node.termType === 'NamedNode') return { kind: 'predicate', predicate: bind(node) };
  const inner = (path: RDF.Term): Path => parsePath(graph, owner, path, bind, depth + 1);
  if (node.termType !== 'BlankNode' || depth > MOST_DEPTH) throw wrongPath(owner);
  const said = graph.subject(node)?.values;
  if (said === undefined) throw wrongPath(owner);
  if (said.has(RDF_FIRST) || said.has(RDF_REST)) {
    const members = graph.list(node, owner, 'path');
    if (members.length < 2) throw invalid(owner, 'a sequence in sh:path has fewer than two members');
    return { kind: 'sequence', paths: members.map(inner) };
  }
  const [one, ...others] = [...said].filter(([name]) => name.startsWith(SH));
  if (one === undefined || others.length > 0 || one[1].length !== 1) throw wrongPath(owner);
  const [name, [value]] = [one[0].slice(SH.length), one[1]];
  if (name === 'inversePath') return { kind: 'inverse', path: inner(value!) };
  if (name === 'alternativePath') {
    const members = graph.list(value!, owner, 'alternativePath');
    if (members.length < 2) throw invalid(owner, 'sh:alternativePath has fewer than two members');
    return { kind: 'alternative', paths: members.map(inner) };
  }
  const found = REPEATS.find(([repeat]) => repeat === name);
  if (found === undefined) throw wrongPath(owner);
  return { kind: 'repeat', path: inner(value!), least: found[1], many: found[2] };
}

const wrongPath = (owner: RDF.Term): Error =>
  invalid(owner, 'its sh:path is neither an IRI nor a path of SHACL, such as ( ex:a ex:b ) or [ sh:inversePath ex:a ]');
