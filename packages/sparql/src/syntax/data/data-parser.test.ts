/** The reader of data against the grammar: both give the same patterns, or refuse the text. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import type { ParsedSparql, ParsedUpdate } from '../../algebra/request.js';
import { parseByGrammar, parseSparql } from '../parse.js';
import { DataParser } from './data-parser.js';
import { UnknownData } from './data-scanner.js';

const PREFIXES = { ex: 'http://example.org/', '': 'urn:empty:', 'a.b': 'urn:dot:' };
const OPTIONS = { prefixes: PREFIXES };

function byHand(text: string): ParsedUpdate {
  const parser = DataParser.of(text, OPTIONS);
  if (parser === undefined) throw new UnknownData(0);
  while (parser.step());
  return parser.result;
}

/** Operations as texts, with blank nodes numbered in the order in which the quads have them. */
function shown(parsed: ParsedSparql): unknown {
  if (parsed.kind !== 'update') return parsed;
  return parsed.operations.map((operation) => {
    if (operation.type !== 'deleteinsert') return operation;
    const quads = [...(operation.insert ?? []), ...(operation.delete ?? [])];
    return [Object.keys(operation), ...lines(quads)];
  });
}

/** Blank nodes are told apart by what is said of them, which is enough for the texts here. */
function lines(quads: readonly RDF.BaseQuad[]): string[] {
  let texts = new Map<string, string>();
  const text = (term: RDF.Term): string =>
    term.termType === 'Variable' ? (texts.get(term.value) ?? '_') : termToText(term);
  const all = (): string[] =>
    quads
      .map(({ subject, predicate, object, graph }) => [subject, predicate, object, graph].map(text).join(' '))
      .toSorted();
  for (let round = 0; round < 4; round++) {
    const next = new Map<string, string>();
    for (const { subject, object } of quads)
      for (const node of [subject, object])
        if (node.termType === 'Variable') {
          const about = quads.filter((quad) => quad.subject.equals(node) || quad.object.equals(node));
          next.set(
            node.value,
            hash(
              about
                .map(
                  (quad) =>
                    `${text(quad.subject)} ${text(quad.predicate)} ${text(quad.object)} ${String(quad.subject.equals(node))}`,
                )
                .toSorted()
                .join('\n'),
            ),
          );
        }
    texts = next;
  }
  return all();
}

function hash(text: string): string {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = (Math.imul(value, 31) + text.charCodeAt(i)) | 0;
  return `_${(value >>> 0).toString(36)}`;
}

const TERMS = [
  '<http://e/s>',
  'ex:a',
  ':x',
  ':',
  'a.b:c.d',
  'ex:a-b',
  'ex:%41%2f',
  'ex:a\\-b\\,c',
  'ex:1',
  'ex:é',
  'ex:a:b',
  'ex:_',
  '_:x',
  '_:y.z',
  '_:1',
  '[]',
  '[ex:p 1]',
  '[ ex:p 1, 2 ; ex:q [ ex:r () ] ; ; ]',
  '()',
  '(1)',
  '( ex:a "b" (2) [] )',
];
const OBJECTS = [
  ...TERMS,
  '1',
  '-1',
  '+1.50',
  '1.5e3',
  '1E-2',
  '0x',
  'true',
  'false',
  '"a"',
  "'a'",
  '""',
  "''",
  '"""a"b""c"""',
  "'''a\n'b'''",
  '"\\t\\n\\\\\\"\\\'' + "'" + '"',
  '"\\u0041\\U0001F600"',
  '"a"@en',
  '"a"@de-CH-1996',
  '"a"^^ex:t',
  '"a"^^<urn:t>',
  '"a"  @en',
  '"a" ^^ ex:t',
  '"é\u{1F600}"',
];
const TEXTS = [
  'INSERT DATA {}',
  'insert  data\n{ }',
  'INSERT DATA { GRAPH ex:g { } }',
  'DELETE DATA { ex:s a ex:o GRAPH <urn:g> { ex:s ex:p 1 , 2 } . ex:s ex:p 3 . }',
  'INSERT DATA { GRAPH ex:g { ex:s ex:p ex:o . } GRAPH ex:h { ex:s ex:p ex:o } ex:s ex:p ex:o graph ex:i {} }',
  'INSERT DATA { ex:s ex:p ex:o } ; DELETE DATA { ex:s ex:p ex:o } ;',
  'PREFIX p: <urn:p:> INSERT DATA { p:s p:p p:o } ; PREFIX p: <urn:q:> # again\n BASE <urn:base:> INSERT DATA { p:s p:p p:o };',
  'INSERT DATA{ex:s ex:p<urn:o>,ex:o,"x","y"@en,1,2;ex:q[],[]}# end',
  'INSERT DATA { ex:s ex:p ex:o ; . ex:t a ex:u ; ; ex:q 1 ; }',
  'INSERT DATA { [ ex:p 1 ] . [ ex:p 1 ] ex:q 2 . ( 1 2 ) . ( 3 ) ex:p 4 . () ex:p 5 . [] ex:p 6 }',
  'INSERT DATA { _:x ex:p _:x GRAPH ex:g { _:x ex:p _:y } } ; INSERT DATA { _:z ex:p _:w }',
  'INSERT DATA { ex:s ex:p 1.} ',
  'INSERT DATA { ex:s ex:p <urn:o>.ex:s ex:p ex:o2.x }',
  'INSERT DATA { ex:true ex:a true . ex:GRAPH a "GRAPH" }',
  // All of these are the grammar's: wrong, or more than this reader takes.
  '',
  ';',
  'PREFIX a: <urn:a>',
  'INSERT DATA',
  'INSERT DATA {',
  'INSERT DATA { ex:s }',
  'INSERT DATA { ex:s ex:p }',
  'INSERT DATA { ex:s ex:p ex:o ',
  'INSERT DATA { ex:s ex:p ex:o } }',
  'INSERT DATA {} INSERT DATA {}',
  'INSERT DATA { ex:s ex:p ?o }',
  'INSERT DATA { ?s ex:p 1 }',
  'INSERT DATA { GRAPH ?g { ex:s ex:p 1 } }',
  'DELETE DATA { _:x ex:p 1 }',
  'DELETE DATA { ex:s ex:p [] }',
  'DELETE DATA { ex:s ex:p (1) }',
  'INSERT DATA { _:x ex:p 1 } ; INSERT DATA { _:x ex:p 2 }',
  'INSERT DATA { ex:s ex:p 1 . . }',
  'INSERT DATA { . ex:s ex:p 1 }',
  'INSERT DATA { ex:s ex:p , 1 }',
  'INSERT DATA { ex:s ex:p 1 ; , 2 }',
  'INSERT DATA { ex:s ; ex:p 1 }',
  'INSERT DATA { [ ; ex:p 1 ] }',
  'INSERT DATA { [ ex:p 1 ] ; ex:p 2 }',
  'INSERT DATA { [ ex:p 1 }',
  'INSERT DATA { ( 1 }',
  'INSERT DATA { ( 1 ] }',
  'INSERT DATA { [] }',
  'INSERT DATA { () }',
  'INSERT DATA { GRAPH ex:g { GRAPH ex:h {} } }',
  'INSERT DATA { GRAPH _:g {} }',
  'INSERT DATA { GRAPH ex:g ex:s ex:p 1 }',
  'INSERT DATA { GRAPH ex:g {} . . }',
  'INSERT DATA { "s" ex:p 1 }',
  'INSERT DATA { ex:s "p" 1 }',
  'INSERT DATA { ex:s _:p 1 }',
  'INSERT DATA { ex:s [] 1 }',
  'INSERT DATA { ex:s no:p 1 }',
  'INSERT DATA { <s> <p> <o> }',
  'BASE <urn:b:> INSERT DATA { <s> <p> <o> }',
  'INSERT DATA { ex:s ex:p "a }',
  "INSERT DATA { ex:s ex:p 'a\n' }",
  'INSERT DATA { ex:s ex:p """a" }',
  'INSERT DATA { ex:s ex:p "\\x" }',
  'INSERT DATA { ex:s ex:p "\\u00G0" }',
  'INSERT DATA { ex:s ex:p "\\u0022" }',
  'INSERT DATA { ex:s ex:p "\\uD83D" }',
  'INSERT DATA { <a:\\u0041> ex:p 1 }',
  'INSERT DATA { <a b> ex:p 1 }',
  'INSERT DATA { ex:s ex:p "a"@en--ltr }',
  'INSERT DATA { ex:s ex:p "a"@1 }',
  'INSERT DATA { ex:s ex:p "a"^^"b" }',
  'INSERT DATA { ex:s ex:p TRUE }',
  'INSERT DATA { ex:s ex:p/ex:q 1 }',
  'INSERT DATA { <<( ex:s ex:p 1 )>> ex:p 2 }',
  'INSERT DATA { ex:s ex:p <<( ex:s ex:p 1 )>> }',
  'INSERT DATA { ex:s ex:p 1 {| ex:q 2 |} }',
  'INSERT DATA { ex:s ex:p 1 ~ ex:r }',
  'INSERT DATA { << ex:s ex:p 1 >> }',
  'INSERT DATA { ex:s A ex:o }',
  'INSERT DATA { a a a }',
  'INSERT DATA { ex:s a_:b 1 }',
  'INSERT DATA { ex:s a-1 1 }',
  'INSERT DATA { ex:-a ex:p 1 }',
  'INSERT DATA { ex:. ex:p 1 }',
  'INSERT DATA { ex:a% ex:p 1 }',
  'INSERT { ex:s ex:p 1 } WHERE {}',
  'DELETE WHERE { ?s ?p ?o }',
  'CLEAR ALL ; INSERT DATA { ex:s ex:p 1 }',
  'SELECT * {}',
  'VERSION "1.2" INSERT DATA { ex:s ex:p 1 }',
  'INSERT DATA { ex:s ex:p 1 } ; CLEAR ALL',
];

const outcome = (run: () => ParsedSparql): unknown => {
  try {
    return shown(run());
  } catch {
    return 'refused';
  }
};

/** Where the reader takes a text, it gives what the grammar gives. */
function compare(text: string): boolean {
  const mine = outcome(() => byHand(text));
  if (mine === 'refused') return false;
  expect(mine, text).toEqual(outcome(() => parseByGrammar(text, OPTIONS)));
  return true;
}

describe('data by hand and by the grammar', () => {
  test.each(TERMS)('subject %s', (term) => {
    compare(`INSERT DATA { ${term} ex:p ex:o . ex:x ex:p ${term} }`);
    expect(compare(`INSERT DATA { ${term} ex:p ex:o }`)).toBe(!term.includes("'"));
  });
  test.each(OBJECTS)('object %s', (term) => {
    for (const text of [
      `{ ex:s ex:p ${term} }`,
      `{ ex:s ex:p ${term}, ${term} . }`,
      `{ ex:s ex:p (${term}) }`,
      `{ [ex:p ${term}] ex:q 1 }`,
      `{GRAPH ex:g{ex:s ex:p ${term}}}`,
    ])
      compare(`INSERT DATA ${text}`);
    compare(`DELETE DATA { ex:s ex:p ${term} }`);
  });
  test('whole updates', () => {
    const taken = TEXTS.filter(compare);
    expect(taken).toEqual(TEXTS.slice(0, 14));
  });
  test('random texts of tokens', () => {
    const separators = [
      ', ',
      ' ; ex:p ',
      ' . ex:s ex:q ',
      ';;a ',
      '.GRAPH ex:g{ex:s ex:p ',
      '} ex:s ex:p ',
      ',#c\n',
      ' ) ',
      ' ',
      '',
    ];
    let seed = 11;
    const random = (below: number): number =>
      ((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) % below;
    const pick = (from: readonly string[]): string => from[random(from.length)]!;
    let taken = 0;
    for (let round = 0; round < 2000; round++) {
      let text = `${random(3) === 0 ? 'DELETE' : 'INSERT'} DATA { ex:s ex:p ${pick(OBJECTS)}`;
      for (let left = random(6); left > 0; left--) text += pick(separators) + pick(OBJECTS);
      if (compare(`${text} }${'}'.repeat(random(3) === 0 ? 1 : 0)}`)) taken++;
    }
    expect(taken).toBeGreaterThan(300);
  });
});

test('prefixes and graphs are told', () => {
  const parsed = byHand(
    'PREFIX unused: <urn:u:> BASE <urn:b:> INSERT DATA { GRAPH ex:g { ex:s :p 1 } GRAPH <urn:h> {} }',
  );
  expect(parsed).toMatchObject({ kind: 'update', baseIRI: 'urn:b:', dataset: undefined });
  expect(parsed.prefixes).toEqual({ ex: PREFIXES.ex, '': 'urn:empty:' });
  expect(parsed.graphs.map(({ value }) => value)).toEqual(['http://example.org/g', 'urn:h']);
});

test('a large text comes in parts', () => {
  const text = `INSERT DATA { ${Array.from({ length: 5000 }, (_, i) => `ex:s ex:p ${i}, [] .`).join('\n')} }`;
  const parser = DataParser.of(text, OPTIONS)!;
  let steps = 0;
  while (parser.step()) steps++;
  expect(steps).toBeGreaterThan(30);
  expect(parseSparql(text, OPTIONS)).toEqual(parser.result);
});

test('hostile texts take no longer than they are long', () => {
  const started = performance.now();
  for (const piece of [
    '"""\\',
    '"\\',
    "'",
    '.',
    'ex:a....',
    '_:a...',
    '[',
    '( ',
    '<a',
    '@a-',
    '\\u0041',
    '# ',
    '1',
    'ex:a%4',
    '\u{1F600}',
  ]) {
    const text = `INSERT DATA { ex:s ex:p ${piece.repeat(60_000)}`;
    expect(() => byHand(text)).toThrow('not plain data');
    if (piece !== '1') expect(() => byHand(`${text} }`)).toThrow('not plain data');
  }
  expect(performance.now() - started).toBeLessThan(10_000);
});
