/** Rows that the scanner reads are those that the grammar reads. */
import { ParseError } from '@quadrille/model';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SEED } from '../../../../test/model/environment.js';
import { encode } from '../testing.js';
import { createPatchParser, loadScanner, SCANNED_BYTES } from './index.js';
import type { PatchSink } from './index.js';

await loadScanner();

/** Rows as text, by handles that stay valid. */
class Rows implements PatchSink {
  readonly rows: string[] = [];
  /** Terms that were asked for together: the scanner does it. */
  together = 0;
  readonly #texts = ['', 'default'];

  #handle(text: string): number {
    return this.#texts.push(text) - 1;
  }

  term(bytes: Uint8Array, start: number, end: number): number {
    return this.#handle(new TextDecoder().decode(bytes.slice(start, end)));
  }

  terms(bytes: Uint8Array, spans: Uint32Array, count: number, handles: Uint32Array): void {
    this.together += count;
    for (let i = 0; i < count; i++) handles[i] = this.term(bytes, spans[i * 2]!, spans[i * 2 + 1]!);
  }

  blankNode(bytes: Uint8Array, start: number, end: number): number {
    return this.#handle(`_:${new TextDecoder().decode(bytes.slice(start, end))}`);
  }

  tripleTerm(...parts: [number, number, number]): number {
    return this.#handle(`<<${parts.map((part) => this.#texts[part]).join(' ')}>>`);
  }

  header(name: string, value: number, line: number): void {
    this.rows.push(`${line} ${name} ${this.#texts[value]}`);
  }

  mark(mark: string, line: number): void {
    this.rows.push(`${line} ${mark}`);
  }

  change(added: boolean, ...rest: [number, number, number, number, number]): void {
    const line = rest.pop();
    this.rows.push(`${line} ${added ? '+' : '-'} ${rest.map((handle) => this.#texts[handle]).join(' ')}`);
  }

  prefix(name: string, iri: string | undefined, _: number, line: number): void {
    this.rows.push(`${line} prefix ${name} ${iri}`);
  }
}

function outcome(document: Uint8Array, pieceBytes: number): { rows: string; together: number } {
  const sink = new Rows();
  const parser = createPatchParser({ sink });
  let fault = '';
  try {
    for (let at = 0; at < document.length; at += pieceBytes) parser.push(document.subarray(at, at + pieceBytes));
    parser.end();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    fault = `${error.message} @${error.offset}`;
  }
  return { rows: `${sink.rows.join('\n')}\n${fault}`, together: sink.together };
}

/** Reads a document with the scanner, and in pieces that are too short for it. */
function expectEqual(text: string | Uint8Array, pieceBytes = 1 << 16): number {
  const document = typeof text === 'string' ? encode(text) : text;
  const parsed = outcome(document, 4096);
  expect(parsed.together).toBe(0);
  const scanned = outcome(document, pieceBytes);
  expect(scanned.rows).toBe(parsed.rows);
  return scanned.together;
}

const row = (i: number, operation = i % 900 < 500 ? 'D' : 'A'): string =>
  `${operation} <http://e/s${i >> 2}> <http://e/p${i % 5}> ${i % 3 === 0 ? `<http://e/o${i}>` : `"${i}"@en`} ${i % 7 === 0 ? '<http://e/g> ' : ''}.\n`;
const PLAIN = Array.from({ length: 3000 }, (_, i) => row(i)).join('');

it('reads long documents, wherever they are cut', () => {
  for (const bytes of [SCANNED_BYTES, 65_537, 70_001, 200_000])
    expect(expectEqual(`TX .\n${PLAIN}TC .\n`, bytes)).toBeGreaterThan(2000);
  expect(expectEqual(PLAIN.replaceAll('\n', '\r\n'))).toBeGreaterThan(2000);
  expect(expectEqual(PLAIN.replaceAll('\n', '\r'))).toBe(0);
});

it('reads rows of both kinds in turn', () => {
  const rows = Array.from({ length: 1500 }, (_, i) => row(i, i % 2 === 0 ? 'A' : 'D'));
  expect(expectEqual(rows.join(''))).toBeGreaterThan(1000);
});

const ODD = [
  'H id "x" .\n',
  'TX .\n',
  'TC .\n',
  'TA .\n',
  'PA e <http://e/> .\n',
  '# A <http://e/s> <http://e/p> 1 .\n',
  '\n',
  'A <http://e/s> <http://e/p> 12 .\n',
  "A <http://e/s> <http://e/p> 'x' .\n",
  'A <http://e/s>\n<http://e/p> "x" .\n',
  'A <http://e/s> <http://e/p> "x" . D <http://e/s> <http://e/p> "x" .\n',
  'A <http://e/s> <http://e/p> "x" . # c\n',
  ' D\t<http://e/s> <http://e/p> _:a.b .\n',
  'D <_:a> <http://e/p> _:b .\n',
  'AA <http://e/s> <http://e/p> 1 .\n',
  'A<http://e/s> <http://e/p> <http://e/o> .\n',
  'D <http://e/s> <http://e/p> <<( <http://e/s> <http://e/p> "x" )>> .\n',
  'D <http://e/s> <http://e/p> .\n',
  'A <http://e/\\u00e9> <http://e/new> "é" .\n',
];

it.each(ODD)('reads others between them: %j', (odd) => {
  expectEqual(PLAIN.slice(0, PLAIN.indexOf('\n', 70_000) + 1) + odd + PLAIN);
});

it(`reads the same with others anywhere, and with any byte in the place of one (QUADRILLE_SEED=${SEED})`, () => {
  const odd = fc.array(fc.constantFrom(...ODD), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(odd, fc.nat(PLAIN.length), fc.nat(), fc.nat(255), (lines, cut, place, byte) => {
      const at = PLAIN.lastIndexOf('\n', cut) + 1;
      const document = encode(PLAIN.slice(0, at) + lines.join('') + PLAIN.slice(at));
      expectEqual(document);
      document[place % document.length] = byte;
      expectEqual(document);
    }),
    { numRuns: 30, seed: SEED },
  );
});
