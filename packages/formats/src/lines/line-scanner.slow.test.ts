import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEED } from '../../../../test/model/environment.js';
import { QuadCollector } from '../collector.js';
import { LineScanner } from './line-scanner.js';
import { SCANNER_MODULE } from '../scanner/scanner-module.js';
import { encode, outcome } from '../testing.js';

/** What the scanner takes, and what it must leave to the parser, right or wrong. */
const SUBJECTS = [
  '<a:s>',
  '<http://example.org/é/😀#s>',
  '<http://example.org/s>',
  '_:b',
  '_:b-1',
  '_:b.c',
  '_:é',
  '<s>',
];
const PREDICATES = [
  '<a:p>',
  '<http://example.org/p>',
  '<http://example.org/q\\u0041>',
  `<http://${'long'.repeat(90)}/>`,
];
const OBJECTS = [
  ...SUBJECTS,
  '""',
  '"plain and longer than sixteen bytes"',
  '"é😀\\t\\\\\\" \\n"',
  '"raw \t tab"',
  '"\\u0041"',
  '"\uFFFD\uFFFE"',
  '"a"@en',
  '"a"@de-latn-1996',
  '"a"@EN-gb',
  '"a"@en--ltr',
  '"a"@abcdefghi',
  '"a" @en',
  '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
  '"1"^^<http://www.w3.org/2001/XMLSchema#string>',
  '"1"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>',
  '"1" ^^ <a:b>',
  `"1"^^<a:${'x'.repeat(8190)}>`,
  `"1"^^<a:${'x'.repeat(8191)}>`,
  `<a:${'x'.repeat(8190)}>`,
  `<a:${'x'.repeat(8191)}>`,
  '<<( <a:s> <a:p> "x" )>>',
  '<a:`>',
  '<a:}>',
  '<a: >',
  '"open',
];
const GRAPHS = ['', '', '<a:g>', '<http://example.org/g>', '_:g'];
const BLANKS = ['', ' ', ' ', ' ', '\t', '  '];
const ENDS = ['\n', '\n', '\n', '\r\n', '\r', ' \n', ' # comment\n', '\n\n', ' x\n'];
/** So many plain lines that a document goes through the scanner, and more than it leaves at once. */
const PLAIN = Array.from({ length: 4200 }, (_, i) => `<a:s${i >> 2}> <a:p${i & 3}> "${i}"@en .\n`).join('');

const blank = fc.constantFrom(...BLANKS);
const line = fc
  .tuple(
    blank,
    fc.constantFrom(...SUBJECTS),
    blank,
    fc.constantFrom(...PREDICATES),
    blank,
    fc.constantFrom(...OBJECTS),
    blank,
    fc.constantFrom(...GRAPHS),
    blank,
    fc.constant('.'),
    fc.constantFrom(...ENDS),
  )
  .map((parts) => parts.join(''));

function* pieces(document: Uint8Array, bytes: number): Iterable<Uint8Array> {
  for (let at = 0; at < document.length; at += bytes) yield document.subarray(at, at + bytes);
}

/** Small chunks never reach the scanner. */
const scanned = (document: Uint8Array, format: string): string => outcome([document], { format });
const parsed = (document: Uint8Array, format: string): string => outcome([...pieces(document, 4096)], { format });

describe('the line scanner and the parser agree', () => {
  it.each(['nt', 'nq'])('on lines of all kinds among plain ones: %s', (format) => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), fc.nat(PLAIN.length), (lines, cut) => {
        const at = PLAIN.lastIndexOf('\n', cut) + 1;
        const document = encode(PLAIN.slice(0, at) + lines.join('') + PLAIN.slice(at));
        expect(scanned(document, format)).toBe(parsed(document, format));
      }),
      { numRuns: 60 },
    );
  });

  it.each(SUBJECTS.flatMap((subject) => OBJECTS.map((object) => [subject, object] as const)))(
    'on %s with %s in front of plain lines',
    (subject, object) => {
      const document = encode(`${subject} <a:p> ${object} <a:g> .\n${PLAIN.slice(0, 70_000)}\n`);
      expect(scanned(document, 'nq')).toBe(parsed(document, 'nq'));
    },
  );

  it(`on any bytes in the place of one (QUADRILLE_SEED=${SEED})`, () => {
    const start = encode(PLAIN.slice(0, 66_000)).length;
    const document = encode(`${PLAIN.slice(0, 66_000)}\n<http://example.org/é> <a:p> "é\\t"^^<a:b> <a:g> .\n`);
    const place = fc.integer({ min: start, max: document.length - 1 });
    fc.assert(
      fc.property(place, fc.nat(255), (at, byte) => {
        const damaged = document.slice();
        damaged[at] = byte;
        expect(scanned(damaged, 'nq')).toBe(parsed(damaged, 'nq'));
      }),
      { numRuns: 60, seed: SEED },
    );
  });

  it('on more predicates and graphs than it keeps, some of them first seen in lines that it leaves', () => {
    const lines = Array.from({ length: 12_000 }, (_, i) => {
      const object = i % 7 === 0 ? '"\\u0041"' : '"A"';
      return `<a:s> <a:p${(i * i) % 3001}> ${object} <http://example.org/g${i % 1201}> .`;
    });
    const document = encode(`${lines.join('\n')}\n`);
    expect(scanned(document, 'nq')).toBe(parsed(document, 'nq'));
  });

  it('on a line that is longer than the scanner has room for', () => {
    const document = encode(`${PLAIN}<a:s> <a:p> "${'long '.repeat(80_000)}" .\n${PLAIN}`);
    expect(scanned(document, 'nt')).toBe(parsed(document, 'nt'));
  });

  it('on lines that end with CR LF, wherever the document is cut', () => {
    const document = encode(PLAIN.replaceAll('\n', '\r\n'));
    for (const bytes of [65_537, 65_538, 65_539, 70_000, 100_000]) {
      expect(outcome([...pieces(document, bytes)], { format: 'nt' })).toBe(parsed(document, 'nt'));
    }
  });
});

it('is there once the format is loaded', () => {
  expect(LineScanner.create(new QuadCollector(), false)?.statements.capacity).toBeGreaterThan(0);
});

it('the module is what its source compiles to', async () => {
  // Plain JavaScript, of which there are no types.
  const build: string = '../../assembly/compile.mjs';
  const { compileScanner } = (await import(build)) as { compileScanner(): Promise<Uint8Array> };
  expect(Buffer.from(await compileScanner()).toString('base64')).toBe(SCANNER_MODULE);
});
