/** Small random datasets over few terms, so that joins find something. */
import { dataFactory, termToText, XSD } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Chance } from './chance.js';
import type { TermText } from './syntax.js';

export const EX = 'http://example.org/';
export const PREFIXES = { ex: EX, xsd: XSD };

/** The predicate of literals whose ids contain them. */
export const SIZE: TermText = 'ex:size';

/** A quad by the texts of its terms; the default graph is `''`. */
export type QuadText = readonly [subject: TermText, predicate: TermText, object: TermText, graph: TermText];

const ex = (name: string): RDF.NamedNode => dataFactory.namedNode(EX + name);
const typed = (value: string, datatype: string): RDF.Literal =>
  dataFactory.literal(
    value,
    datatype.includes(':') ? dataFactory.namedNode(datatype) : dataFactory.namedNode(XSD + datatype),
  );

/** Literals that have a number. */
const NUMBERS = [
  ...['0', '1', '2', '3', '-1', '01', '7', '100000000000000000000'].map((value) => typed(value, 'integer')),
  ...['1.5', '2.0', '2.50', '-0.5'].map((value) => typed(value, 'decimal')),
  ...['1.0e0', '2.5E0', 'INF'].map((value) => typed(value, 'double')),
  typed('2', 'float'),
  typed('5', 'int'),
];
const STRINGS = [
  ...['', 'a', 'b', 'ab', 'A', '1', 'é', '😀x', 'ba-r'].map((value) => dataFactory.literal(value)),
  dataFactory.literal('a', 'en'),
  dataFactory.literal('b', 'fr'),
  dataFactory.literal('ab', 'en-gb'),
  dataFactory.literal('a', { language: 'ar', direction: 'rtl' }),
];
const TIMES = [
  ...['2020-01-01', '2020-02-29', '1969-12-31'].map((value) => typed(value, 'date')),
  ...['2020-01-01T00:00:00Z', '2020-01-01T02:00:00+02:00', '2019-12-31T23:59:59.5Z', '2010-01-01T00:00:00'].map(
    (value) => typed(value, 'dateTime'),
  ),
];
const OTHERS = [
  ...['true', 'false', '1'].map((value) => typed(value, 'boolean')),
  typed('x', `${EX}dt`),
  typed('1', `${EX}dt`),
];
/** Literals whose ids contain them, and in the last list another one: the objects of {@link SIZE} are from one of the lists. */
const SIZES = [
  ['0', '1', '2', '3', '-1', '7'].map((value) => typed(value, 'integer')),
  [
    ...['1', '2', '3'].map((value) => typed(value, 'integer')),
    ...['1.5', '2.0', '-0.5'].map((value) => typed(value, 'decimal')),
  ],
  ['2020-01-01', '2020-02-29', '1969-12-31'].map((value) => typed(value, 'date')),
  [
    typed('true', 'boolean'),
    typed('false', 'boolean'),
    typed('2', 'integer'),
    typed('2.0', 'decimal'),
    typed('2020-01-01', 'date'),
  ],
  [typed('1', 'integer'), typed('3', 'integer'), typed('1.5', 'decimal'), dataFactory.literal('a')],
];
const RARE = [typed('abc', 'integer'), typed('2020-13-01', 'date'), typed('NaN', 'double')];
const NODES = [...['a', 'b', 'c', 'd', 'e'].map(ex), dataFactory.blankNode('b1'), dataFactory.blankNode('b2')];
const GRAPHS = [ex('g1'), ex('g2'), ex('a')];

/** How a term is written in a query. */
export function textOf(term: RDF.Term): TermText {
  if (term.termType === 'NamedNode') {
    if (term.value.startsWith(EX)) return `ex:${term.value.slice(EX.length)}`;
    if (term.value.startsWith(XSD)) return `xsd:${term.value.slice(XSD.length)}`;
  }
  if (term.termType === 'Quad') return tripleText(textOf(term.subject), textOf(term.predicate), textOf(term.object));
  return termToText(term);
}

export const tripleText = (subject: TermText, predicate: TermText, object: TermText): TermText =>
  `<<( ${subject} ${predicate} ${object} )>>`;

const vocabulary = new Map<TermText, RDF.Term>();
function textsOf(terms: readonly RDF.Term[]): TermText[] {
  return terms.map((term) => {
    const text = textOf(term);
    vocabulary.set(text, term);
    return text;
  });
}

export const TERMS = {
  numbers: textsOf(NUMBERS),
  strings: textsOf(STRINGS),
  times: textsOf(TIMES),
  others: textsOf(OTHERS),
  rare: textsOf(RARE),
  nodes: textsOf(NODES),
  graphs: textsOf(GRAPHS),
  /** Between nodes: for paths. */
  links: textsOf(['p', 'q', 'r'].map(ex)),
  values: textsOf(['v', 'w'].map(ex)),
  says: textsOf([ex('says'), ex('size')]),
  sizes: SIZES.map(textsOf),
};

/** The term of a text of the data. */
export function termOfText(text: TermText): RDF.Term {
  const term = vocabulary.get(text);
  if (term === undefined) throw new Error(`no term of the data: ${text}`);
  return term;
}

export const isNumber = (text: TermText): boolean => TERMS.numbers.includes(text);
export const isString = (text: TermText): boolean => TERMS.strings.includes(text);
export const isTime = (text: TermText): boolean => TERMS.times.includes(text);
export const isBlank = (text: TermText): boolean => text.startsWith('_:');
export const isNode = (text: TermText): boolean => TERMS.nodes.includes(text) || TERMS.graphs.includes(text);
export const isTripleTerm = (text: TermText): boolean => text.startsWith('<<(');

export function randomData(chance: Chance): QuadText[] {
  const quads: QuadText[] = [];
  const wanted = 10 + chance.below(31);
  const sizes = chance.among(TERMS.sizes);
  while (quads.length < wanted) {
    const [s, p, o] = quads.length > 2 && chance.in(0.15) ? chance.among(quads) : randomTriple(chance, quads, sizes);
    quads.push([s, p, o, randomGraph(chance)]);
  }
  return [...new Map(quads.map((quad) => [quad.join(' '), quad])).values()];
}

function randomTriple(
  chance: Chance,
  quads: readonly QuadText[],
  sizes: readonly TermText[],
): readonly [TermText, TermText, TermText] {
  const subject = chance.among(TERMS.nodes);
  return chance.weighted<() => readonly [TermText, TermText, TermText]>([
    [5, () => [subject, chance.among(TERMS.links), chance.among(TERMS.nodes)]],
    [6, () => [subject, chance.among(TERMS.values), randomLiteral(chance)]],
    [7, () => [subject, SIZE, chance.among(sizes)]],
    [quads.length === 0 ? 0 : 1, () => [subject, 'ex:says', tripleTerm(chance.among(quads))]],
    [1, () => [chance.among(TERMS.graphs), chance.among(TERMS.links), chance.among([...TERMS.links, ...TERMS.nodes])]],
  ])();
}

export const randomLiteral = (chance: Chance): TermText =>
  chance.among(
    chance.weighted([
      [5, TERMS.numbers],
      [4, TERMS.strings],
      [3, TERMS.times],
      [2, TERMS.others],
      [0.4, TERMS.rare],
    ]),
  );

const randomGraph = (chance: Chance): TermText => (chance.in(0.5) ? '' : chance.among(TERMS.graphs));

function tripleTerm([s, p, o]: QuadText): TermText {
  const [subject, predicate, object] = [s, p, o].map(termOfText);
  return textsOf([
    dataFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object),
  ])[0]!;
}

export const toQuads = (data: readonly QuadText[]): RDF.Quad[] =>
  data.map(([s, p, o, g]) =>
    dataFactory.quad(
      termOfText(s) as RDF.Quad_Subject,
      termOfText(p) as RDF.Quad_Predicate,
      termOfText(o) as RDF.Quad_Object,
      g === '' ? dataFactory.defaultGraph() : (termOfText(g) as RDF.Quad_Graph),
    ),
  );

export const printData = (data: readonly QuadText[]): string => data.map((quad) => `  ${quad.join(' ')}`).join('\n');
