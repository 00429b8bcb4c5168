/** Random shapes and data over few names, so that shapes meet data. */
import { blankNode, iri, literal, quad, RDF_NS, termToNTriples, XSD } from '@quadrille/model';
import { seededRandom } from '@quadrille/storage/testing';
import type * as RDF from '@rdfjs/types';
import { SEED } from '../model/environment.js';
import { randomAsk, randomSelect, randomTarget } from './random-queries.js';

export { SEED };

const SH = 'http://www.w3.org/ns/shacl#';
const EX = 'http://example.org/';
const sh = (name: string): RDF.NamedNode => iri(SH + name);
export const ex = (name: string): RDF.NamedNode => iri(EX + name);
const TYPE = iri(`${RDF_NS}type`);
const REIFIES = iri(`${RDF_NS}reifies`);
const SUB_CLASS_OF = iri('http://www.w3.org/2000/01/rdf-schema#subClassOf');
const integer = (value: number): RDF.Literal => literal(String(value), iri(`${XSD}integer`));

type Object = RDF.Quad_Object;
type Node = RDF.NamedNode | RDF.BlankNode;

interface RandomShapesOptions {
  readonly deepestPath?: number;
  readonly core?: boolean;
  readonly seed?: number;
}

export class RandomShapes {
  readonly #random: () => number;
  readonly #deepestPath: number;
  readonly #isCore: boolean;
  #labels = 0;

  /**
   * Paths have `deepestPath` operators above each other at most. With `core` there is no SPARQL, nothing of SHACL 1.2, and no shape refers
   * to itself.
   */
  constructor(index: number, { deepestPath = 2, core = true, seed = SEED }: RandomShapesOptions = {}) {
    this.#deepestPath = deepestPath;
    this.#isCore = core;
    this.#random = seededRandom((seed ^ Math.imul(index + 1, 0x9e37_79b1)) >>> 0);
  }

  int(most: number): number {
    return Math.floor(this.#random() * most);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)]!;
  }

  #node = (): RDF.NamedNode => ex(`n${this.int(6)}`);
  #class = (): RDF.NamedNode => ex(`C${this.int(3)}`);
  #predicate = (): RDF.NamedNode => ex(`p${this.int(4)}`);

  #value(): Object {
    switch (this.int(6)) {
      case 0:
        return integer(this.int(5));
      case 1:
        return literal(this.pick(['a', 'ab', 'abc']), this.pick(['en', 'de']));
      case 2:
        return literal(this.pick(['a', 'ab', 'abc', 'b']));
      default:
        return this.#node();
    }
  }

  /** A quad of data. */
  triple(): RDF.Quad {
    const kind = this.int(10);
    if (kind < 2) return quad(this.#node(), TYPE, this.#class());
    if (kind === 2) return quad(this.#class(), SUB_CLASS_OF, this.#class());
    if (kind === 3 && !this.#isCore) return quad(this.#node(), REIFIES, this.#statement());
    if (!this.#isCore && this.int(3) === 0) return this.#statement();
    return quad(this.#node(), this.#predicate(), this.#value());
  }

  // Few, so that data have some of them.
  #statement = (): RDF.Quad =>
    quad(ex(`n${this.int(3)}`), ex(`p${this.int(2)}`), this.pick([ex('n0'), ex('n1'), literal('a')]));

  /** The quads of some shapes with targets. */
  shapes(count = 1 + this.int(3)): RDF.Quad[] {
    const quads: RDF.Quad[] = this.#isCore ? [] : this.#component();
    for (let i = 0; i < count; i++) {
      const shape = ex(`shape${i}`);
      const target = this.pick([
        [sh('targetClass'), this.#class()],
        [sh('targetNode'), this.#node()],
        [sh('targetSubjectsOf'), this.#predicate()],
        [sh('targetObjectsOf'), this.#predicate()],
      ] as const);
      quads.push(quad(shape, target[0], target[1]));
      if (this.int(4) === 0) quads.push(quad(shape, sh('targetClass'), this.#class()));
      if (!this.#isCore && this.int(4) === 0) {
        const node = this.#blank();
        quads.push(quad(shape, sh('target'), node), quad(node, sh('select'), literal(randomTarget(this.#pick))));
      }
      this.#fill(shape, quads, this.int(3) === 0, 0);
    }
    return quads;
  }

  #pick = <T>(items: readonly T[]): T => this.pick(items);

  /** A component whose parameter is `ex:limit`. */
  #component(): RDF.Quad[] {
    const [component, parameter, validator] = [ex('Component'), this.#blank(), this.#blank()];
    return [
      quad(component, TYPE, sh('ConstraintComponent')),
      quad(component, sh('parameter'), parameter),
      quad(parameter, sh('path'), ex('limit')),
      quad(component, sh('validator'), validator),
      quad(validator, sh('ask'), literal(randomAsk(this.#pick))),
    ];
  }

  #blank(): RDF.BlankNode {
    this.#labels++;
    return blankNode(`x${this.#labels}`);
  }

  #list(items: readonly Object[], quads: RDF.Quad[]): Node {
    let rest: Node = iri(`${RDF_NS}nil`);
    for (const item of items.toReversed()) {
      const node = this.#blank();
      quads.push(quad(node, iri(`${RDF_NS}first`), item), quad(node, iri(`${RDF_NS}rest`), rest));
      rest = node;
    }
    return rest;
  }

  #path(quads: RDF.Quad[], depth = 0): Node {
    const kind = depth >= this.#deepestPath ? 0 : this.int(10);
    const inner = (): Node => this.#path(quads, depth + 1);
    if (kind < 5) return this.#predicate();
    if (kind === 5) return this.#list([inner(), inner()], quads);
    const node = this.#blank();
    const [name, value] =
      kind === 6
        ? ['alternativePath', this.#list([inner(), inner()], quads)]
        : [this.pick(['inversePath', 'zeroOrMorePath', 'oneOrMorePath', 'zeroOrOnePath']), inner()];
    quads.push(quad(node, sh(name as string), value as Node));
    return node;
  }

  #shape(quads: RDF.Quad[], depth: number): Node {
    const node = this.#blank();
    this.#fill(node, quads, this.int(2) === 0, depth);
    return node;
  }

  #fill(shape: Node, quads: RDF.Quad[], isProperty: boolean, depth: number): void {
    if (isProperty) quads.push(quad(shape, sh('path'), this.#path(quads)));
    else quads.push(quad(shape, TYPE, sh('NodeShape')));
    const used = new Set<string>();
    for (let i = 1 + this.int(2); i > 0; i--) {
      const [name, ...more] = this.#constraint(quads, isProperty, depth);
      if (used.has(name)) continue;
      used.add(name);
      quads.push(
        ...[name, ...more]
          .map((one, j) => (j === 0 ? undefined : quad(shape, name === 'limit' ? ex(name) : sh(name), one as Object)))
          .filter((one) => one !== undefined),
      );
    }
  }

  #constraint(quads: RDF.Quad[], isProperty: boolean, depth: number): [string, ...Object[]] {
    const shape = (): Node => this.#shape(quads, depth + 1);
    const simple: (() => [string, ...Object[]])[] = [
      () => ['class', this.#class()],
      () => ['datatype', iri(XSD + this.pick(['integer', 'string']))],
      () => ['nodeKind', sh(this.pick(['IRI', 'Literal', 'BlankNodeOrIRI', 'IRIOrLiteral']))],
      () => [this.pick(['minInclusive', 'maxInclusive', 'minExclusive', 'maxExclusive']), integer(this.int(5))],
      () => [this.pick(['minLength', 'maxLength']), integer(1 + this.int(22))],
      () => ['pattern', literal(this.pick(['a', '^ab', 'b$', 'n[0-2]']))],
      () => ['languageIn', this.#list([literal('en')], quads)],
      () => ['hasValue', this.#value()],
      () => ['in', this.#list([this.#value(), this.#value(), this.#value()], quads)],
      () => [this.pick(['equals', 'disjoint']), this.#predicate()],
    ];
    const ofProperties: typeof simple = [
      () => ['minCount', integer(1 + this.int(2))],
      () => ['maxCount', integer(this.int(3))],
      () => ['uniqueLang', literal('true', iri(`${XSD}boolean`))],
      () => [this.pick(['lessThan', 'lessThanOrEquals']), this.#predicate()],
    ];
    const nested: typeof simple = [
      () => ['node', shape()],
      () => ['not', shape()],
      () => [this.pick(['and', 'or', 'xone']), this.#list([shape(), shape()], quads)],
      () => {
        const property = this.#blank();
        this.#fill(property, quads, true, depth + 1);
        return ['property', property];
      },
    ];
    const more: typeof simple = [
      () => {
        const node = this.#blank();
        quads.push(quad(node, sh('select'), literal(randomSelect(this.#pick))));
        return ['sparql', node];
      },
      () => ['limit', this.#value()],
      () => {
        const property = this.#blank();
        quads.push(quad(property, sh('path'), this.pick([ex('p0'), ex('p1')])));
        quads.push(quad(property, sh('reifierShape'), shape()));
        if (this.int(3) === 0)
          quads.push(quad(property, sh('reificationRequired'), literal('true', iri(`${XSD}boolean`))));
        return ['property', property];
      },
      () => [this.pick(['node', 'node', 'not']), ex(`shape${this.int(3)}`)],
    ];
    const choices = [
      ...(this.#isCore ? [] : [...more, ...more, ...more]),
      ...simple,
      ...(isProperty ? [...ofProperties, ...ofProperties] : []),
      ...(depth < 2 ? [...nested, ...nested] : []),
    ];
    return this.pick(choices)();
  }
}

export const textOf = (quads: Iterable<RDF.Quad>): string =>
  Array.from(quads, (one) => `${[one.subject, one.predicate, one.object].map(termToNTriples).join(' ')} .`).join('\n');
