/** What the reader of RDF Patch takes: the published description, and the forms that Jena reads and writes. */
import { describe, expect, it } from 'vitest';
import { ParseError, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { ParserLimits } from '../parser.js';
import { encode } from '../testing.js';
import { createPatchParser, PatchCollector, readPatch } from './index.js';
import type { PatchRow } from './index.js';

const quadText = ({ subject, predicate, object, graph }: RDF.Quad): string =>
  [subject, predicate, object, graph].map(termToText).join(' ').trimEnd();

/** A row as text, with its line. */
function shown(row: PatchRow): string {
  switch (row.type) {
    case 'header':
      return `${row.line} H ${row.name} ${termToText(row.value)}`;
    case 'add':
    case 'delete':
      return `${row.line} ${row.type} ${quadText(row.quad)}`;
    case 'add prefix':
      return `${row.line} PA ${row.name}: ${row.iri} ${termToText(row.graph)}`.trimEnd();
    case 'delete prefix':
      return `${row.line} PD ${row.name}: ${termToText(row.graph)}`.trimEnd();
    default:
      return `${row.line} ${row.type}`;
  }
}

function rowsOf(chunks: readonly Uint8Array[], limits?: ParserLimits): string[] {
  const sink = new PatchCollector();
  const parser = createPatchParser({ sink, source: 'p.rdfp', limits });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return sink.take().map(shown);
}

const read = (text: string, limits?: ParserLimits): string[] => rowsOf([encode(text)], limits);

function errorOf(text: string | Uint8Array, limits?: ParserLimits): string {
  try {
    rowsOf([typeof text === 'string' ? encode(text) : text], limits);
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
  throw new Error('there is no error');
}

/** Rows, then the error if there is one: what must not depend on how the document is cut. */
function outcome(bytes: Uint8Array, cuts: readonly number[], limits?: ParserLimits): string {
  const sink = new PatchCollector();
  const parser = createPatchParser({ sink, source: 'p.rdfp', limits });
  try {
    let from = 0;
    for (const to of [...cuts, bytes.length]) parser.push(bytes.subarray(from, (from = to)));
    parser.end();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return `${sink.take().map(shown).join('\n')}\n${error.message} @${error.offset}`;
  }
  return sink.take().map(shown).join('\n');
}

describe('rows of a patch', () => {
  it('are headers, transactions, prefixes and changes', () => {
    const text = `# A whole patch.
H id <urn:uuid:0686c69d-8f89-4496-acb5-744f0157a8db>.
H prev <urn:uuid:3ee0eca0-6d5f-4b4d-85db-f69ab1167eb1> .
H "two words" "a value"@en .
TX .
PA rdf <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
PA "ex.a-b" "http://example/" .
PA "" <http://example> <http://example/g> .
PD ex .
PD "" .
A <http://example/s> <http://example/p> <http://example/o> .
A <http://example/s> <http://example/p> "v"^^<http://example/dt> <http://example/g> .
D <http://example/s> <http://example/p> "x"@en-GB _:g .
TC .
TX . A <a:s> <a:p> "" . TA .
`;
    expect(read(text)).toEqual([
      '2 H id <urn:uuid:0686c69d-8f89-4496-acb5-744f0157a8db>',
      '3 H prev <urn:uuid:3ee0eca0-6d5f-4b4d-85db-f69ab1167eb1>',
      '4 H two words "a value"@en',
      '5 begin',
      '6 PA rdf: http://www.w3.org/1999/02/22-rdf-syntax-ns#',
      '7 PA ex.a-b: http://example/',
      '8 PA : http://example <http://example/g>',
      '9 PD ex:',
      '10 PD :',
      '11 add <http://example/s> <http://example/p> <http://example/o>',
      '12 add <http://example/s> <http://example/p> "v"^^<http://example/dt> <http://example/g>',
      '13 delete <http://example/s> <http://example/p> "x"@en-gb _:g',
      '14 commit',
      '15 begin',
      '15 add <a:s> <a:p> ""',
      '15 abort',
    ]);
  });

  it('need no transaction and no header, and may be none', () => {
    expect(read('A <a:s> <a:p> <a:o>.D <a:s> <a:p> <a:o>.')).toEqual([
      '1 add <a:s> <a:p> <a:o>',
      '1 delete <a:s> <a:p> <a:o>',
    ]);
    expect(read('')).toEqual([]);
    expect(read('\uFEFF # nothing \r\n\r')).toEqual([]);
  });

  it('may go over several lines, with comments between tokens', () => {
    expect(read('A <a:s> # the subject\r\n  <a:p>\r\n"1"\n.\nTB .\rTC.')).toEqual([
      '1 add <a:s> <a:p> "1"',
      '5 begin',
      '6 commit',
    ]);
  });

  it('have the shorter literals that Jena writes', () => {
    const text = `A <a:s> <a:p> 123 . A <a:s> <a:p> -1.50 . A <a:s> <a:p> 1e3. A <a:s> <a:p> true . A <a:s> <a:p> 'it''' .`;
    expect(() => read(text)).toThrow();
    expect(read(text.replace("'it'''", `'"it"\\''`)).map((row) => row.slice('1 add <a:s> <a:p> '.length))).toEqual([
      '"123"^^<http://www.w3.org/2001/XMLSchema#integer>',
      '"-1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
      '"1e3"^^<http://www.w3.org/2001/XMLSchema#double>',
      '"true"^^<http://www.w3.org/2001/XMLSchema#boolean>',
      '"\\"it\\"\'"',
    ]);
  });

  it('have triple terms, also as older versions of Jena write them', () => {
    expect(
      read(
        'A <a:s> <a:p> <<( <_:b> <a:q> <<(_:c <a:q> "x")>> )>> <a:g> .\nD <a:s> <a:p> << <a:a> <a:b> << <a:a> <a:b> 1 >>>>.',
      ),
    ).toEqual([
      '1 add <a:s> <a:p> <<( _:b <a:q> <<( _:c <a:q> "x" )>> )>> <a:g>',
      '2 delete <a:s> <a:p> <<( <a:a> <a:b> <<( <a:a> <a:b> "1"^^<http://www.w3.org/2001/XMLSchema#integer> )>> )>>',
    ]);
  });
});

describe('blank nodes', () => {
  it('keep their labels in both forms', () => {
    expect(read('A _:anon1 <a:p> <_:anon1> . A <_:a.b-c> <a:p> _:a.b-c. A <_:é\\u00e9> <a:p> 1 .')).toEqual([
      '1 add _:anon1 <a:p> _:anon1',
      '1 add _:a.b-c <a:p> _:a.b-c',
      '1 add _:éé <a:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    ]);
  });

  it('with other characters get a label that can be stored, always the same', () => {
    const rows = read('A <_:-7d:1b/2> <a:p> <_:-7d:1b/2> .\nA <_:a.> <a:p> <_:a> .');
    expect(rows).toEqual([
      '1 add _:patch-2d37643a31622f32 <a:p> _:patch-2d37643a31622f32',
      '2 add _:patch-612e <a:p> _:a',
    ]);
  });
});

describe('faults', () => {
  it.each([
    ['X <a:s> .', '1:1: expected an operation: H, TX, TC, TA, PA, PD, A or D, found "X"'],
    ['a <a:s> <a:p> <a:o> .', '1:1: expected an operation: H, TX, TC, TA, PA, PD, A or D, found "a"'],
    ['.', '1:1: expected an operation: H, TX, TC, TA, PA, PD, A or D, found "."'],
    ['@prefix a: <a:> .', '1:1: expected an operation: H, TX, TC, TA, PA, PD, A or D, found "@prefix"'],
    ['TX', '1:3: expected ".", found the end of the document'],
    ['TX .\nTX .', '2:1: the transaction that begins in line 1 has no TC or TA before this TX'],
    ['\nTC .', '2:1: there is no TX before the end of a transaction'],
    ['TA .', '1:1: there is no TX before the end of a transaction'],
    ['TX .\nA <a:s> <a:p> 1 .\n', '3:1: the transaction that begins in line 1 has no TC or TA'],
    ['A <a:s> <a:p> .', '1:15: expected a term: an IRI, a blank node, a literal or a triple term, found "."'],
    ['A <a:s> <a:p> <a:o> <a:g> <a:h> .', '1:27: expected ".", found "<a:h>"'],
    ['A <a:s> <a:p> <a:o>', '1:20: expected a graph name or ".", found the end of the document'],
    ['A <a:s> _:b <a:o> .', '1:9: expected a predicate: an IRI within "<" and ">", found "_:b"'],
    ['A <a:s> <_:b> <a:o> .', '1:9: expected a predicate: an IRI within "<" and ">", found "<_:b>"'],
    ['A "s" <a:p> <a:o> .', '1:3: expected a subject: an IRI or a blank node, found "\\"s\\""'],
    ['A <<( <a:s> <a:p> 1 )>> <a:p> 1 .', '1:3: expected a subject: an IRI or a blank node, found a triple'],
    ['A <a:s> <a:p> 1 "g" .', '1:17: expected a graph name or ".", found "\\"g\\""'],
    ['A ex:s <a:p> 1 .', '1:3: expected a subject: an IRI or a blank node, found "ex:s"'],
    ['A <s> <a:p> 1 .', '1:3: the IRI <s> is relative, and a patch has absolute IRIs only'],
    ['A <_:> <a:p> 1 .', '1:3: a blank node is "<_:", a label and ">"'],
    ['A <_x> <a:p> 1 .', '1:3: a blank node is "<_:", a label and ">"'],
    ['A <a:s> <a:p> "x"^^ex:t .', '1:20: the prefix "ex:" is not declared'],
    ['A <a:s> <a:p> <<( <a:s> <a:p> 1 >> .', '1:33: expected ")>>", found ">>"'],
    ['A <a:s> <a:p> << <a:s> <a:p> 1 )>> .', '1:32: expected ">>", found ")>>"'],
    ['H 1 <a:b> .', '1:3: expected the name of the header: a word, or text in quotes, found "1"'],
    [
      'H "id"@en <a:b> .',
      '1:3: expected the name of the header: a word, or text in quotes, found a literal with a type',
    ],
    ['H id .', '1:6: expected a term: an IRI, a blank node, a literal or a triple term, found "."'],
    ['PA ex: <a:b> .', '1:6: expected the IRI of the prefix, within "<" and ">" or in quotes, found ":"'],
    ['PA "a b" <a:b> .', '1:4: "a b" cannot be a prefix'],
    ['PD "ex:" .', '1:4: "ex:" cannot be a prefix'],
    ['PA "ex" "a b" .', '1:9: not an absolute IRI: "a b"'],
    ['PA "ex" 1 .', '1:9: expected the IRI of the prefix, within "<" and ">" or in quotes, found "1"'],
    ['PD <a:b> .', '1:4: expected a prefix without its colon: a word, or text in quotes, found "<a:b>"'],
    ['A <a:s> <a:p> "\n" .', '1:15: the string has no closing quote on its line'],
    ['A <a:s> <a:p>\n\n  "\\ud800" .', '3:4: the escape is a surrogate, which is no character'],
  ])('%j', (text, message) => {
    expect(errorOf(text)).toBe(`p.rdfp:${message}`);
  });

  it('are found in bytes that are not UTF-8', () => {
    const bytes = encode('A <a:s> <a:p> "é" .');
    expect(errorOf(bytes.map((byte) => (byte === 0xc3 ? 0xff : byte)))).toBe('p.rdfp:1:16: not UTF-8');
  });

  it('keep the rows before them', async () => {
    const rows: PatchRow[] = [];
    const all = async (): Promise<void> => {
      for await (const batch of readPatch(`${'A <a:s> <a:p> <a:o> .\n'.repeat(4000)}A`)) rows.push(...batch);
    };
    await expect(all()).rejects.toThrow('4001:2: expected a subject');
    expect(rows.length).toBeGreaterThan(2000);
  });
});

describe('bounds', () => {
  const limits = { maxLineBytes: 2000, maxTermBytes: 1000, maxDepth: 3 };

  it('hold for rows, terms, nesting and words', () => {
    expect(errorOf(`A <a:s> <a:p> ${'\n'.repeat(2500)} 1 .`, limits)).toMatch(/1:1: a row is longer than 2000 bytes/);
    expect(errorOf(`A <a:s> <a:p> "${'x'.repeat(1100)}" .`, limits)).toMatch(
      /1:15: the term is longer than 1000 bytes/,
    );
    expect(errorOf(`A <a:${'s'.repeat(9000)}> <a:p> 1 .`)).toMatch(/1:3: the IRI is longer than 8192 bytes/);
    expect(errorOf(`A <_:${'s'.repeat(9000)}> <a:p> 1 .`)).toMatch(/1:3: the IRI is longer than 8192 bytes/);
    expect(errorOf(`H ${'x'.repeat(9000)} 1 .`)).toMatch(/1:3: a word is longer than 8192 bytes/);
    expect(errorOf(`PA "${'x'.repeat(9000)}" <a:b> .`)).toMatch(/1:4: the text is longer than 8192/);
    const nested = `${'<<( <a:s> <a:p> '.repeat(4)}1${' )>>'.repeat(4)}`;
    expect(errorOf(`A <a:s> <a:p> ${nested} .`, limits)).toMatch(/triple terms nested deeper than 3/);
    expect(read(`A <a:s> <a:p> ${'<<( <a:s> <a:p> '.repeat(1000)}1${' )>>'.repeat(1000)} .`)).toHaveLength(1);
  });

  it('a row without an end is refused where it passes the limit, not at its end', () => {
    const parser = createPatchParser({
      sink: new PatchCollector(),
      limits: { maxLineBytes: 100_000, maxTermBytes: 50_000 },
    });
    const pushed = (text: string): number => {
      const chunk = encode(text.repeat(1000));
      for (let count = 1; count < 10_000; count++) {
        try {
          parser.push(chunk);
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
          return count * chunk.length;
        }
      }
      return Infinity;
    };
    parser.push(encode('A <a:s> <a:p> "'));
    expect(pushed('x')).toBeLessThanOrEqual(60_000);
  });

  it('an endless comment, space or header is read without being held', () => {
    const sink = new PatchCollector();
    const parser = createPatchParser({ sink, limits });
    const header = encode('H key "value" .\n'.repeat(1000));
    const blank = encode(' '.repeat(16_000));
    parser.push(encode('#'));
    for (let i = 0; i < 100; i++) parser.push(blank);
    parser.push(encode('\n'));
    for (let i = 0; i < 100; i++) parser.push(blank);
    let rows = 0;
    for (let i = 0; i < 100; i++) {
      parser.push(header);
      rows += sink.take().length;
    }
    parser.end();
    expect(rows).toBe(100_000);
  });
});

const EVERYTHING = `\uFEFF# é
H id <urn:uuid:1>.H "é k" 'v\\u00e9' .
TX. PA rdf "http://www.w3.org/1999/02/22-rdf-syntax-ns#".\r
PA é.a-b <http://é/> _:g .\rPD "" .PD ex.y<a:g>.
A<a:s><a:p>"x\\t\\"é😀"@en-GB--ltr<a:g>. # c
D _:a.b <a:p> """l"o
g""".
A <_:a:é> <a:p> <<(_:b <a:q> << <a:s> <a:p> -1.5e3>> )>> .
A <a:s> <a:p> 12.TC . TB . A <http://e/\\u00e9> <a:p> "1"^^ <a:t> <_:g> . TA .`;

describe('a patch that is cut', () => {
  const bytes = encode(EVERYTHING);
  const whole = outcome(bytes, []);

  it('has the same rows at every place', () => {
    expect(whole.split('\n')).toHaveLength(15);
    expect(whole).not.toContain('p.rdfp');
    for (let at = 0; at <= bytes.length; at++) expect(outcome(bytes, [at])).toBe(whole);
  });

  it.each([1, 2, 3, 7])('has the same rows in chunks of %i bytes', (size) => {
    const cuts = Array.from({ length: Math.floor(bytes.length / size) }, (_, i) => i * size);
    expect(outcome(bytes, cuts)).toBe(whole);
  });

  it('has the same rows and the same fault with any byte in the place of another', () => {
    const bad = encode('"\\.<>:_ \n#(A1é\0');
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice();
      damaged[at] = bad[at % bad.length]!;
      const wanted = outcome(damaged, []);
      const every = Array.from({ length: bytes.length }, (_, i) => i);
      expect(outcome(damaged, every), `byte ${at}`).toBe(wanted);
      expect(outcome(damaged, [at]), `byte ${at}`).toBe(wanted);
      expect(outcome(damaged, [at + 1]), `byte ${at}`).toBe(wanted);
    }
  });

  it('has the same fault when it ends anywhere', () => {
    for (let end = 0; end < bytes.length; end++) {
      const part = bytes.subarray(0, end);
      const every = Array.from({ length: end }, (_, i) => i);
      expect(outcome(part, every), `end ${end}`).toBe(outcome(part, []));
    }
  });
});
