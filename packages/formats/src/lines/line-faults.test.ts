import { ParseError } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { QuadCollector } from '../collector.js';
import { N_QUADS, N_TRIPLES } from '../formats.js';
import { openParser } from '../open-parser.js';

interface Read {
  readonly subjects: string[];
  readonly faults: string[];
}

/** Reads a document in chunks of a length. */
async function read(text: string, chunk = Infinity, format = N_TRIPLES): Promise<Read> {
  const sink = new QuadCollector({ blankNodePrefix: '' });
  const faults: string[] = [];
  const onFault = (error: ParseError, line: string): void => {
    expect(error).toBeInstanceOf(ParseError);
    faults.push(`${String(error.line)}:${String(error.column)} ${line}`);
  };
  const parser = await openParser(format, { sink, onFault });
  const bytes = new TextEncoder().encode(text);
  const subjects: string[] = [];
  for (let at = 0; at < bytes.length; at += chunk) {
    await parser.push(bytes.slice(at, Math.min(bytes.length, at + chunk)));
    subjects.push(...Array.from(sink.take(), ({ subject }) => subject.value));
  }
  await parser.end();
  subjects.push(...Array.from(sink.take(), ({ subject }) => subject.value));
  return { subjects, faults };
}

const DOCUMENT = [
  '<urn:a> <urn:p> "1" .',
  'nonsense',
  '<urn:b> <urn:p> "open .',
  '<urn:b> <urn:p> "2" .',
  '<urn:b> <urn:p> "3" <urn:g> .',
  '<urn:b> <urn:p> é .',
  '',
  '# a comment',
  '<urn:b> <urn:p> "4" ; <urn:q> 1 .',
  '<urn:b> <urn:p> "5" .',
  '<relative> <urn:p> "6" .',
  '<urn:c> <urn:p> "7" .',
  '<urn:c> <urn:p>',
];
const FAULTS = [
  '2:1 nonsense',
  '3:17 <urn:b> <urn:p> "open .',
  '5:21 <urn:b> <urn:p> "3" <urn:g> .',
  '6:17 <urn:b> <urn:p> é .',
  '9:21 <urn:b> <urn:p> "4" ; <urn:q> 1 .',
  '11:1 <relative> <urn:p> "6" .',
  '13:16 <urn:c> <urn:p>',
];

describe('lines that are not well formed', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    test.each([Infinity, 1, 7, 64])(
      `are told and skipped, with ${JSON.stringify(end)}, in chunks of %d`,
      async (chunk) => {
        const { subjects, faults } = await read(DOCUMENT.join(end), chunk);
        expect(subjects).toEqual(['urn:a', 'urn:b', 'urn:b', 'urn:c']);
        expect(faults).toEqual(FAULTS);
      },
    );
  }

  test('in a long document, which is scanned', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) =>
      i % 500 === 250 ? `bad ${String(i)}` : `<urn:${String(i)}> <urn:p> "x" .`,
    );
    const { subjects, faults } = await read(lines.join('\n'));
    expect(subjects).toHaveLength(4990);
    expect(faults).toEqual(
      Array.from({ length: 10 }, (_, i) => `${String(i * 500 + 251)}:1 bad ${String(i * 500 + 250)}`),
    );
  });

  test('in N-Quads; a long line is shown in part, and bytes that are no UTF-8 as such', async () => {
    const { subjects, faults } = await read('<urn:a> <urn:p> 5 .\n<urn:b> <urn:p> "x" <urn:g> .', Infinity, N_QUADS);
    expect([subjects, faults]).toEqual([['urn:b'], ['1:17 <urn:a> <urn:p> 5 .']]);
    const long = await read(`x${'y'.repeat(10_000)}\n<urn:a> <urn:p> "1" .`);
    expect([long.subjects, long.faults[0]!.length]).toEqual([['urn:a'], 504]);
    const sink = new QuadCollector({ blankNodePrefix: '' });
    const shown: string[] = [];
    const parser = await openParser(N_TRIPLES, { sink, onFault: (_, line) => void shown.push(line) });
    await parser.push(Uint8Array.of(0x3c, 0xff, 0x0a));
    await parser.end();
    expect(shown).toEqual(['<\uFFFD']);
  });

  test('an error of the receiver ends the parse', async () => {
    const sink = new QuadCollector({ blankNodePrefix: '' });
    const onFault = (error: ParseError): void => {
      throw error;
    };
    const parser = await openParser(N_TRIPLES, { sink, onFault });
    await expect(parser.push(new TextEncoder().encode(DOCUMENT.join('\n')))).rejects.toMatchObject({ line: 2 });
  });
});
