/** What is read as plain Turtle is what n3 reads: quads, and errors with their places. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { termToText } from '@quadrille/model';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasSuites, readManifest, W3C_FOLDER } from '../../../../test/w3c/manifest.js';
import { QuadCollector } from '../collector.js';
import { plainFirst } from './plain-document.js';
import { loadScanner, newScanner } from '../scanner/scanner.js';
import { createPlainTurtleParser, createTurtleParser } from './turtle-parser.js';
import type { TurtleParserOptions } from './turtle-parser.js';
import type { RdfParser } from '../parser.js';

await loadScanner();

const utf8 = new TextEncoder();
/** Behind a document it makes it long enough for WebAssembly. */
const PADDING = utf8.encode(`\n#${'x'.repeat(33_000)}\n`);

/** Reads what is plain, and has the rest read by another parser that is told only what can be cloned. */
const handingOver = (options: TurtleParserOptions): RdfParser =>
  plainFirst(createPlainTurtleParser(options), (readSoFar) =>
    createTurtleParser({ ...options, readSoFar: structuredClone(readSoFar) }),
  );

/** The quads of a document in its order, or its error. */
function outcome(
  bytes: Uint8Array,
  plain: boolean,
  trig: boolean,
  chunk = bytes.length || 1,
  create = createTurtleParser,
): unknown {
  const sink = new QuadCollector();
  const quads = (): string[] =>
    sink
      .take()
      .map(({ subject, predicate, object, graph }) => [subject, predicate, object, graph].map(termToText).join(' '));
  try {
    const parser = create({ sink, trig, plain, source: 'doc', baseIRI: 'http://base/a/b' });
    for (let at = 0; at < bytes.length; at += chunk) parser.push(bytes.subarray(at, at + chunk));
    parser.end();
    return quads();
  } catch (error) {
    const { code, message, line, column, offset } = error as Record<string, unknown>;
    return { code, message, line, column, offset };
  }
}

function expectSame(text: string | Uint8Array, trig = false): void {
  const bytes = typeof text === 'string' ? utf8.encode(text) : text;
  const wanted = outcome(bytes, false, trig);
  for (const chunk of [undefined, 1, 7, 100]) {
    expect(outcome(bytes, true, trig, chunk), `${new TextDecoder().decode(bytes)}\nin chunks of ${chunk}`).toEqual(
      wanted,
    );
  }
  expect(outcome(bytes, true, trig, 50, handingOver), new TextDecoder().decode(bytes)).toEqual(wanted);
  expectSameScanned(bytes, trig);
}

function expectSameScanned(bytes: Uint8Array, trig = false): void {
  const long = new Uint8Array(bytes.length + PADDING.length);
  long.set(bytes);
  long.set(PADDING, bytes.length);
  expect(outcome(long, true, trig), new TextDecoder().decode(bytes)).toEqual(outcome(long, false, trig));
}

const HEAD = '@prefix e: <http://e/> .\n@prefix : <http://d/> .\nPREFIX x: <http://www.w3.org/2001/XMLSchema#>\n';

describe('plain Turtle', () => {
  it.each([
    'e:s a e:T ; e:p "a", "b"@en-GB , 5, -5.5 , 1e3 , +1.0E-7 , .5 , true, false ; e:q e:o ;; .',
    'e:s e:p "tab\\t quote\\" \\u00e9 \\u0041 \\\\ \\\' é😀", "raw\ttab", \'single "quoted"\', "" , \'\' .',
    'e:s e:p """long\n"quoted" ""text\r\nlines\rmore""", \'\'\'x\'y\'\'\' ; e:q "a"^^x:string, "1"^^x:integer, "b"^^<http://e/t> .',
    ':s :p :o. :a.b :c-d :e.f .\ne:é e:p e:a:b:c , e:1, e: , : .',
    '_:a e:p _:b-c, _:1, _:anon1, _:__anon2, _:x.y .\n[] e:p [ e:q 1 ] , ( 1 2 ) .\n_:a e:q _:b-c .',
    '# comment é\ne:s e:p e:o . # more\n  e:s # here\n e:p # there\n e:o2 .# end',
    '<http://e/s> <http://e/p> <http://e/é> , <rel> , <http://e/\\u00e9> .\n@base <http://other/> . <a> <b> <c> .',
    'e:s e:p e:o .\n@prefix e: <http://changed/> .\ne:s e:p e:o ; e:q "1"^^e:t .\nBASE <http://x/y> e:s e:p <z> .',
    'e:s e:p e:o .\r\n\r\ne:s e:p e:o2 .\re:s e:p e:o3 .\n',
    'e:s e:p <<( e:a e:b e:c )>> . << e:a e:b e:c >> e:q 1 . e:s e:p e:o {| e:r 2 |} .',
    'e:s e:p "x"@EN, "y"@ar--rtl, "z"@abcdefghijk, "v" @en , "w"^^ x:integer .',
    'e:s e:p e:a%20b , e:a\\,b, e:a. e:s e:p e:b.',
    'e:s e:p "\u007f\u0001\ufffe" .',
    '',
    '   \n',
  ])('%s', (text) => expectSame(HEAD + text));

  it.each([
    'e:s e:p e:o .\n e:s e:p x:o ] .',
    'e:s e:p e:o . é:s e:p "unknown prefix" .',
    'e:s e:p "é😀" . "literal" e:p e:o .',
    'e:s e:p "é😀" .\n\n  e:s e:p "no end\n .',
    'e:s e:p """no end\n .\n',
    'e:s e:p e:o',
    'e:s e:p e:o ;\n',
    'e:s e:p .',
    'e:s e:p e:o . %%%',
    'e:s e:p e:o .. e:s e:p e:o .',
    'e:s e:p 5.e:o .',
    '@prefix e: <http://e/>\ne:s e:p e:o .',
    '@prefix broken <http://e/> .',
    'e:s e:p <http://e/a b> .',
    'e:s e:p "x"^^ .',
    'e:s _:b e:o .',
    'e:s a , e:o .',
    'e:s e:p "\\x" .',
    'e:s e:p "\\ud800" .',
    `e:s e:p <http://e/${'x'.repeat(9000)}> .`,
    `e:s e:p e:o . e:s e:p e:${'x'.repeat(9000)} .`,
    'e:g { e:s e:p e:o }',
  ])('what is wrong: %s', (text) => expectSame(HEAD + text));

  it('what is not UTF-8', () => {
    const bytes = utf8.encode(`${HEAD}e:s e:p e:o .\n# comment X\ne:s e:p "textX", e:nameX .\n`);
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === 0x58) expectSame(bytes.with(at, 0xff));
    }
  });

  it('a mark at the start', () => expectSame(`\ufeff${HEAD}e:s e:p e:o . x`));

  it('a statement that is very long', () => {
    const objects = Array.from({ length: 60_000 }, (_, i) => `e:o${i}`).join(',\n');
    const bytes = utf8.encode(`${HEAD}e:a e:b e:c .\ne:s e:p ${objects} .\ne:s e:q "x" . wrong`);
    expect(outcome(bytes, true, false, 65_536)).toEqual(outcome(bytes, false, false));
  });

  it('anything in the place of one byte', () => {
    const text = `${HEAD}e:s a e:T ; e:p "b"@en , 5.5 , "1"^^x:int .\n_:b e:q """l\n""" , <http://e/o>, true . # c\n`;
    const bytes = utf8.encode(text);
    for (let at = HEAD.length; at < bytes.length; at++) {
      for (const byte of utf8.encode('"\'\\.;,:_-@^<> \n\r#[]()a5{}%é')) {
        const changed = bytes.with(at, byte);
        expect(outcome(changed, true, false), new TextDecoder().decode(changed)).toEqual(
          outcome(changed, false, false),
        );
        expectSameScanned(changed);
      }
    }
  }, 30_000);

  it('statements of all kinds, joined at random', () => {
    const subject = fc.constantFrom('e:s', ':', 'e:é', 'e:a.b', '<http://e/s>', '_:b', '_:b.c', '[]');
    const predicate = fc.constantFrom('a', 'e:p', ':p', 'e:longer-name', '<http://e/p>', 'x:p', 'e:p.q');
    const object = fc.constantFrom(
      'e:o',
      ':',
      ':o:1',
      'e:-a',
      'e:1.',
      'unknown:o',
      '<http://e/é>',
      '<rel>',
      '_:b',
      '_:anon',
      '_:__anon2',

      '""',
      '"plain and longer than sixteen bytes"',
      '"é😀\\t\\\\"',
      '"""long\n"""',
      "'single'",
      '"x"@en',
      '"x"@en-GB',
      '"v"@version',
      '"1"^^x:integer',
      '"1"^^x:string',
      '"1"^^<http://e/t>',
      '"\\u0041"',
      '"raw \t tab"',
      '"1"^^e:t.',
      '1',
      '-1',
      '+.5',
      '1.',
      '1.5e-7',
      '1e',
      '.',
      'true',
      'false',
      'truer',
      'false:o',
      '( 1 )',
      '<< e:s e:p e:o >>',
    );
    const join = fc.constantFrom(' ', ' ', '\n  ', '\r\n', '\t', '', ' # comment\n');
    const end = fc.constantFrom(' .\n', ' .\n', '.\n', ' ;\n', ' ; ; ', ' , e:o2 .\n', ' ; a e:T .\r', '. ', ' } ');
    const statement = fc.tuple(subject, join, predicate, join, object, end).map((parts) => parts.join(''));
    const declare = fc.constantFrom(
      '@prefix e: <http://again/> .\n',
      'PREFIX x: <http://x/>\n',
      `@prefix l: <http://${'l'.repeat(230)}/> .\nl:s l:p l:o .\n`,
    );
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: statement }, declare), { maxLength: 12 }), (statements) => {
        const text =
          HEAD +
          statements.map((one, i) => (one.endsWith('; ') || one.endsWith(';\n') ? `${one}e:n ${i} .\n` : one)).join('');
        expectSameScanned(utf8.encode(text));
        expect(outcome(utf8.encode(text), true, false, 300, handingOver)).toEqual(
          outcome(utf8.encode(text), false, false),
        );
      }),
      { numRuns: 250 },
    );
  });

  it('more quads, predicates and prefixes than WebAssembly keeps', () => {
    const prefixes = Array.from({ length: 90 }, (_, i) => `@prefix p${i}: <http://p${i}/${'n'.repeat(i * 3)}#> .\n`);
    const statements = Array.from({ length: 9000 }, (_, i) => {
      const [prefix, other] = [`p${(i * i) % 90}`, `p${i % 7}`];
      const object = i % 50 === 0 ? `'single'` : i % 3 === 0 ? `"${i}"^^${other}:t` : `${other}:o${i}`;
      return `${prefix}:s${i} ${other}:n${(i * i) % 3001} ${object}, ${i} ;\n a ${prefix}:T .\n`;
    });
    const many = Array.from({ length: 5000 }, (_, i) => `e:o${i}`).join(' , ');
    const bytes = utf8.encode(
      `${prefixes.join('')}${HEAD}${statements.join('')}e:s e:p ${many} .\n e:s e:p "x" . wrong`,
    );
    expect(outcome(bytes, true, false, 200_000)).toEqual(outcome(bytes, false, false));
  });

  it('with WebAssembly', () => expect(newScanner()).toBeDefined());
});

describe('plain TriG', () => {
  it.each([
    'e:g { e:s e:p e:o . e:s e:p 1 } e:s e:p e:o . GRAPH e:h { e:s e:p e:o }',
    '{ e:s e:p e:o } _:g { _:g e:p _:o . } <http://e/g> {}\n{}',
    'e:g { e:s e:p e:o . e:s e:p [] } e:h { e:s e:p ( 1 ) . }\ne:s e:p e:o .',
    'e:g { e:s e:p e:o .\n\n e:s e:p wrong }',
    'e:g { e:s e:p e:o .\n',
    'e:g { @prefix y: <http://y/> . }',
    'e:g { e:s e:p e:o } }',
    '_:anon1 { e:s e:p <rel> }',
  ])('%s', (text) => expectSame(HEAD + text, true));
});

describe.runIf(hasSuites())('the documents of the W3C', () => {
  it.each([
    ['rdf11', 'turtle'],
    ['rdf11', 'trig'],
    ['rdf12', 'turtle'],
    ['rdf12', 'trig'],
  ])('%s %s', (version, suite) => {
    for (const { action } of readManifest(resolve(W3C_FOLDER, version, `rdf-${suite}/manifest.ttl`))) {
      expectSame(readFileSync(action), suite === 'trig');
    }
  });
});
