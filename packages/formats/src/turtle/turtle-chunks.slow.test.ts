/** A Turtle document gives the same quads, or the same error, however it is cut and whether WebAssembly helps or not. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ParseError } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEED } from '../../../../test/model/environment.js';
import { describeSuite, readManifest, W3C_FOLDER } from '../../../../test/w3c/manifest.js';
import { loadScanner, newScanner } from '../scanner/scanner.js';
import { createTurtleParser } from './turtle-parser.js';

await loadScanner();

const utf8 = new TextEncoder();
const KINDS = utf8.encode('"\'\\.;,:_-@^<>~| \n\r#[]()aPe5{}%é\0');
/** Behind a document it makes it long enough for WebAssembly. */
const PADDING = utf8.encode(`\n#${'x'.repeat(33_000)}\n`);

// Every run takes a share of the kinds in each place, and a share of the places and chunks; another seed takes other ones.
// `QUADRILLE_ALL_KINDS=1`: all of them.
const ALL = process.env['QUADRILLE_ALL_KINDS'] !== undefined;
const SHARE_OF_KINDS = ALL ? 1 : 16;
const SHARE_OF_PLACES = ALL ? 1 : 4;
const shareOfKinds = (at: number): Uint8Array => KINDS.filter((_, index) => (at + index + SEED) % SHARE_OF_KINDS === 0);
const isPlace = (at: number): boolean => (at + SEED) % SHARE_OF_PLACES === 0;
const CHUNKS = [1, 2, 7, 100];

interface Way {
  readonly trig?: boolean;
  readonly scanner?: boolean;
  readonly chunk?: number | undefined;
}

/** Keeps quads as text: quicker than terms. */
class LineSink implements QuadSink {
  readonly lines: string[] = [];
  readonly #texts = ['', ''];

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#texts.push(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()) - 1;
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.#texts.push(`_:${Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()}`) - 1;
  }

  tripleTerm(...parts: [TermHandle, TermHandle, TermHandle]): TermHandle {
    return this.#texts.push(`<<( ${this.#line(parts)} )>>`) - 1;
  }

  quad(...parts: [TermHandle, TermHandle, TermHandle, TermHandle]): void {
    this.lines.push(this.#line(parts));
  }

  #line(parts: readonly TermHandle[]): string {
    return parts.map((part) => this.#texts[part]).join(' ');
  }
}

/** The quads of a document in its order and its error, as text. */
function outcome(bytes: Uint8Array, { trig = false, scanner = false, chunk = bytes.length || 1 }: Way): string {
  const sink = new LineSink();
  try {
    const parser = createTurtleParser({ sink, trig, scanner, source: 'doc', baseIRI: 'http://base/a/b' });
    for (let at = 0; at < bytes.length; at += chunk) parser.push(bytes.subarray(at, at + chunk));
    parser.end();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    sink.lines.push(`${error.message} @${error.offset}`);
  }
  return sink.lines.join('\n');
}

function padded(bytes: Uint8Array): Uint8Array {
  const long = new Uint8Array(bytes.length + PADDING.length);
  long.set(bytes);
  long.set(PADDING, bytes.length);
  return long;
}

const asText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Both are the same; the message is made only where they are not. */
function expectEqual(got: string, wanted: string, bytes: Uint8Array, how = ''): void {
  if (got !== wanted) expect(got, `${asText(bytes)}\n${how}`).toBe(wanted);
}

function expectSameScanned(bytes: Uint8Array, trig = false): void {
  const long = padded(bytes);
  expectEqual(outcome(long, { trig, scanner: true }), outcome(long, { trig }), bytes, 'with WebAssembly');
}

function expectSame(text: string | Uint8Array, trig = false, chunks: readonly number[] = CHUNKS): void {
  const bytes = typeof text === 'string' ? utf8.encode(text) : text;
  const wanted = outcome(bytes, { trig });
  for (const chunk of chunks) {
    expectEqual(outcome(bytes, { trig, chunk }), wanted, bytes, `in chunks of ${chunk}`);
  }
  expectSameScanned(bytes, trig);
}

const HEAD = '@prefix e: <http://e/> .\n@prefix : <http://d/> .\nPREFIX x: <http://www.w3.org/2001/XMLSchema#>\n';

/** Everything that the grammar has, and every kind of token. */
const EVERYTHING = `\uFEFF${HEAD}@prefix é.a: <http://é/> . # comment é
VERSION "1.2"\r\nBASE <http://x/y/z?q#f>\n@version '1.2-basic' .
e:s a e:T ; e:p "a\\t\\u00e9\\U0001F600", 'b\\'"', """l"o""n\r\ng\\"""" , '''x'y''z
''', "x"@en-GB, "y"@ar--rtl , "z" @en ; ; .
e:a.b e:c-d é.a:é·. <a> <#b> <../c?d>, <>, </e>, <?f>, <//h/i>, <http://e/\\u00e9>.
_:b.c e:p 1, -1 , +1.5, .5, 1e3, 1.E-7, .5e+1 , true, false, "1"^^x:integer,"s"^^ x:string, "t"^^<rel>.
[ e:p [ e:q ( 1 2 ( ) [] "x" ) ] , _:anon1 ] . [] e:p e:a%20b, e:a\\,b\\~, e::c, : . [e:p e:o] e:q 1; e:r 2 .
( <<( e:s e:p <<( _:b.c a "o"@en )>> )>> [ ] ) e:p () .
<< e:s e:p << [] e:p 1 ~ >> ~ e:r >> e:q 1 . << e:s a e:o >> .
e:s e:p e:o ~ e:r {| e:a 1 ; e:b [ e:c 2 {| e:d 3 |} ] |} {| e:c 3 |} ~ ~_:r2 , e:o2 {|e:e e:f|} ; e:q 1 ~[].
`;
const GRAPHS = `${HEAD}e:g { e:s e:p e:o . [ e:p 1 ] } GRAPH _:g { e:s e:p ( ) . } {} graph [] { <a> a <b> }
[] { e:s e:p 1 ; } { << e:s e:p e:o >> } <g>{<a>a<b>.}e:s e:p 1 {| e:q 2 |} .
`;

const DOCUMENTS: [string, string, boolean][] = [
  ['Turtle', EVERYTHING, false],
  ['TriG', GRAPHS, true],
];

describe.each(DOCUMENTS)('%s', (_, text, trig) => {
  const bytes = utf8.encode(text);
  const wanted = outcome(bytes, { trig });

  it('is read', () => {
    expect(wanted).not.toMatch(/^doc:/m);
    expectSame(bytes, trig);
  });

  it(`cut at every byte is the same (QUADRILLE_SEED=${SEED})`, () => {
    for (let at = 1; at < bytes.length; at++) {
      if (!isPlace(at)) continue;
      const sink = new LineSink();
      const parser = createTurtleParser({ sink, trig, scanner: false, source: 'doc', baseIRI: 'http://base/a/b' });
      parser.push(bytes.subarray(0, at));
      parser.push(bytes.subarray(at));
      parser.end();
      expectEqual(sink.lines.join('\n'), wanted, bytes, `cut at ${at}`);
    }
  });

  it(`without its end behind every byte fails in the same way (QUADRILLE_SEED=${SEED})`, () => {
    for (let at = 0; at < bytes.length; at++) {
      if (!isPlace(at)) continue;
      const cut = bytes.subarray(0, at);
      expectEqual(outcome(cut, { trig, chunk: 1 + (at % 50) }), outcome(cut, { trig }), cut);
    }
  });

  it(`with a byte of each kind in each place of a statement is the same in chunks (QUADRILLE_SEED=${SEED})`, () => {
    for (const statement of text.split(/(?<=[.}]) *\n/)) {
      const one = utf8.encode(`${HEAD.replaceAll('\n', ' ')}${statement}\n`);
      for (let at = HEAD.length; at < one.length; at++) {
        for (const kind of shareOfKinds(at)) {
          const changed = one.with(at, kind);
          const chunk = 1 + ((at * 31 + kind) % 40);
          expectEqual(outcome(changed, { trig, chunk }), outcome(changed, { trig }), changed, `in chunks of ${chunk}`);
        }
      }
    }
  });
});

it(`a byte of each kind in each place of plain statements is the same with WebAssembly (QUADRILLE_SEED=${SEED})`, () => {
  const text = 'e:s a e:T ; e:p "b"@en , 5.5 , "1"^^x:int .\n_:b e:q "l" , <http://e/o>, true . # c\n';
  const bytes = utf8.encode(HEAD + text);
  for (let at = HEAD.length; at < bytes.length; at++) {
    for (const kind of shareOfKinds(at)) expectSameScanned(bytes.with(at, kind));
  }
});

describe('Turtle', () => {
  it.each([
    'e:s e:p "tab\\t quote\\" \\u00e9 \\u0041 \\\\ \\\' é😀", "raw\ttab", \'single "quoted"\', "" , \'\' .',
    ':s :p :o. :a.b :c-d :e.f .\ne:é e:p e:a:b:c , e:1, e: , : .',
    '# comment é\ne:s e:p e:o . # more\n  e:s # here\n e:p # there\n e:o2 .# end',
    'e:s e:p e:o .\n@prefix e: <http://changed/> .\ne:s e:p e:o ; e:q "1"^^e:t .\nBASE <http://x/y> e:s e:p <z> .',
    'e:s e:p e:o .\r\n\r\ne:s e:p e:o2 .\re:s e:p e:o3 .\n',
    'e:s e:p "x"@EN, "y"@ar--rtl, "z"@abcdefghijk, "v" @en , "w"^^ x:integer .',
    'e:s e:p "\u007f\u0001\ufffe" .',
    'e:s e:p "1"^^e:t."2"^^e:t .',
    'e:s<p>"1"^^e:t.<a>a<b>,<c>;e:q"x"@en,"y","""z""".[]a[].',
    '',
    '   \n',
    '\ufeff',
    'e:s e:p e:o .\n e:s e:p x:o ] .',
    'e:s e:p e:o . é:s e:p "unknown prefix" .',
    'e:s e:p "é😀" .\n\n  e:s e:p "no end\n .',
    'e:s e:p """no end\n .\n',
    'e:s e:p """é\n\\x""" .\n',
    'e:s e:p e:o .. e:s e:p e:o .',
    '@prefix e: <http://e/>\ne:s e:p e:o .',
    'e:s e:p "\\ud800" .',
    `e:s e:p <http://e/${'x'.repeat(9000)}> .`,
    `e:s e:p e:o . e:s e:p e:${'x'.repeat(9000)} .`,
    `e:s e:p _:${'x'.repeat(20_000)}, ${'1'.repeat(20_000)}, "${'é'.repeat(40_000)}", """${'a\n'.repeat(30_000)}""" . x`,
  ])('%s', (text) => expectSame(HEAD + text));

  it('what is not UTF-8', () => {
    const bytes = utf8.encode(
      `${HEAD}e:s e:p e:o .\n# comment X\ne:s e:p "textX", e:nameX, <http://e/X>, "\\uX" X .\n`,
    );
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] !== 0x58) continue;
      for (const wrong of [0xff, 0xc0, 0xe2, 0xf0, 0x80]) expectSame(bytes.with(at, wrong));
    }
  });

  it('a statement that is very long', () => {
    const objects = Array.from({ length: 60_000 }, (_, i) => `e:o${i}`).join(',\n');
    const bytes = utf8.encode(`${HEAD}e:a e:b e:c .\ne:s e:p ${objects} .\ne:s e:q "x" . wrong`);
    const wanted = outcome(bytes, {});
    expect(wanted.slice(-100)).toMatch(/\ndoc:\d+:15: .*$/);
    expectEqual(outcome(bytes, { scanner: true, chunk: 65_536 }), wanted, bytes.subarray(0, 100));
  });

  it('more quads, predicates and prefixes than WebAssembly keeps', () => {
    const prefixes = Array.from({ length: 90 }, (_, i) => `@prefix p${i}: <http://p${i}/${'n'.repeat(i * 3)}#> .\n`);
    const statements = Array.from({ length: 9000 }, (_, i) => {
      const [prefix, other] = [`p${(i * i) % 90}`, `p${i % 7}`];
      const object = i % 50 === 0 ? `'single'` : i % 3 === 0 ? `"${i}"^^${other}:t` : `${other}:o${i}`;
      return `${prefix}:s${i} ${other}:n${(i * i) % 3001} ${object}, ${i} ;\n a ${prefix}:T .\n`;
    });
    const many = Array.from({ length: 5000 }, (_, i) => `e:o${i}`).join(' , ');
    const bytes = utf8.encode(`${prefixes.join('')}${HEAD}${statements.join('')}e:s e:p ${many} .\n e:s e:p "x" .`);
    const wanted = outcome(bytes, {});
    expect(wanted.split('\n')).toHaveLength(9000 * 3 + 5001);
    expectEqual(outcome(bytes, { scanner: true, chunk: 200_000 }), wanted, bytes.subarray(0, 100));
  });

  it('with WebAssembly', () => expect(newScanner()).toBeDefined());
});

it('statements of all kinds, joined at random', () => {
  const subject = fc.constantFrom('e:s', ':', 'e:é', 'e:a.b', '<http://e/s>', '_:b', '_:b.c', '[]', '( 1 )');
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
      const ended = statements.map((one, i) => (/; ?\n?$/.test(one) ? `${one}e:n ${i} .\n` : one));
      expectSameScanned(utf8.encode(HEAD + ended.join('')));
    }),
    { numRuns: 250 },
  );
});

describeSuite('the documents of the W3C', W3C_FOLDER, () => {
  it.each([
    ['rdf11', 'turtle'],
    ['rdf11', 'trig'],
    ['rdf12', 'turtle'],
    ['rdf12', 'trig'],
  ])(`%s %s (QUADRILLE_SEED=${SEED})`, (version, suite) => {
    readManifest(resolve(W3C_FOLDER, version, `rdf-${suite}/manifest.ttl`)).forEach(({ action }, index) => {
      const chunks = CHUNKS.filter((_, i) => isPlace(index + i));
      expectSame(readFileSync(action), suite === 'trig', chunks);
    });
  });
});
