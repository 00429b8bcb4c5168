/** A report of a validation as RDF. */
import type * as RDF from '@rdfjs/types';
import { blankNode, iri, literal, quad, RDF_NS, XSD } from '@quadrille/model';
import type { Path } from '../shapes/paths.js';
import { RDF_FIRST, RDF_NIL, RDF_REST, SH } from '../vocabulary.js';
import type { ValidationResult } from '../validate/results.js';

const sh = (name: string): RDF.NamedNode => iri(SH + name);
const RDF_TYPE = iri(`${RDF_NS}type`);

/** The quads of a report. */
export function* reportQuads(results: readonly ValidationResult[]): Generator<RDF.Quad> {
  const label = freshLabel(results);
  const report = blankNode(`${label}report`);
  const conforms = literal(String(results.length === 0), iri(`${XSD}boolean`));
  const paths = new Paths(`${label}path`);
  yield quad(report, RDF_TYPE, sh('ValidationReport'));
  yield quad(report, sh('conforms'), conforms);
  for (const [i, result] of results.entries()) {
    const node = blankNode(`${label}${String(i + 1)}`);
    yield quad(report, sh('result'), node);
    yield quad(node, RDF_TYPE, sh('ValidationResult'));
    yield quad(node, sh('focusNode'), result.focusNode as RDF.Quad_Object);
    if (result.path !== undefined) yield quad(node, sh('resultPath'), yield* paths.write(result.path));
    if (result.value !== undefined) yield quad(node, sh('value'), result.value as RDF.Quad_Object);
    yield quad(node, sh('sourceShape'), result.shape as RDF.Quad_Object);
    yield quad(node, sh('sourceConstraintComponent'), iri(result.component));
    if (result.source !== undefined) yield quad(node, sh('sourceConstraint'), result.source as RDF.Quad_Object);
    yield quad(node, sh('resultSeverity'), result.severity as RDF.NamedNode);
    const messages = result.messages.length > 0 ? result.messages : [literal(result.text)];
    for (const message of messages) yield quad(node, sh('resultMessage'), message as RDF.Literal);
  }
}

/** The beginning of labels that no blank node of the results has. */
function freshLabel(results: readonly ValidationResult[]): string {
  const taken = results
    .flatMap(({ focusNode, value, shape, source }) => [focusNode, value, shape, source])
    .filter((term) => term?.termType === 'BlankNode')
    .map((term) => term!.value);
  let label = 'r';
  while (taken.some((one) => one.startsWith(label))) label += 'r';
  return label;
}

/** Writes paths as SHACL has them: IRIs, and blank nodes of their own. */
class Paths {
  #nodes = 0;

  constructor(private readonly label: string) {}

  *write(path: Path): Generator<RDF.Quad, RDF.NamedNode | RDF.BlankNode> {
    if (path.kind === 'predicate') return path.predicate.term as RDF.NamedNode;
    if (path.kind === 'sequence') return yield* this.#list(path.paths);
    if (path.kind === 'any' || path.kind === 'reifiers') throw new Error('no path of SHACL');
    const node = this.#node();
    const inner = path.kind === 'alternative' ? yield* this.#list(path.paths) : yield* this.write(path.path);
    yield quad(node, sh(nameOf(path)), inner);
    return node;
  }

  *#list(paths: readonly Path[]): Generator<RDF.Quad, RDF.NamedNode | RDF.BlankNode> {
    let rest: RDF.NamedNode | RDF.BlankNode = iri(RDF_NIL);
    for (const path of paths.toReversed()) {
      const node = this.#node();
      yield quad(node, iri(RDF_FIRST), yield* this.write(path));
      yield quad(node, iri(RDF_REST), rest);
      rest = node;
    }
    return rest;
  }

  #node(): RDF.BlankNode {
    this.#nodes++;
    return blankNode(`${this.label}${String(this.#nodes)}`);
  }
}

function nameOf(path: Exclude<Path, { kind: 'predicate' | 'sequence' | 'any' | 'reifiers' }>): string {
  if (path.kind === 'inverse') return 'inversePath';
  if (path.kind === 'alternative') return 'alternativePath';
  return path.many ? (path.least === 0 ? 'zeroOrMorePath' : 'oneOrMorePath') : 'zeroOrOnePath';
}
