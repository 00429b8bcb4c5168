/**
 * Words, hits and scores are those of Lucene, over texts of all scripts. `QUADRILLE_LUCENE` names a folder with the jars of lucene-core,
 * lucene-analysis-common, lucene-queryparser, lucene-queries and lucene-sandbox 9.12.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { BlockCache } from '../../packages/core/src/keyspace/block-cache.js';
import { NO_BREAKS, Pacer, platformEnv } from '../../packages/core/src/runtime/env.js';
import { TextRunBuilder } from '../../packages/core/src/words/run-builder.js';
import { searchText } from '../../packages/core/src/words/search-text.js';
import { memoryRun } from '../../packages/core/src/values/value-index.js';
import { textKind } from '../../packages/core/src/words/text-index.js';
import { parseTextQuery } from '../../packages/core/src/words/text-query.js';
import { foldWord, wordsOf } from '../../packages/core/src/words/words.js';

const jars = process.env['QUADRILLE_LUCENE'];
const FIRST_ID = 2;

let state = Number(process.env['QUADRILLE_SEED'] ?? 99);
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
}
const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!;

/** Characters of scripts with rules of their own. Pictures that one version of Unicode has and another has not are left out. */
const SCRIPTS: readonly (readonly [number, number])[] = [
  [0x20, 0x7f],
  [0x20, 0x7f],
  [0xa0, 0x17f],
  [0x300, 0x36f],
  [0x391, 0x3ce],
  [0x400, 0x4ff],
  [0x5d0, 0x5f4],
  [0x620, 0x64a],
  [0x905, 0x939],
  [0xe01, 0xe3a],
  [0x3041, 0x30ff],
  [0x4e00, 0x4e50],
  [0xac00, 0xac50],
  [0xff10, 0xff5a],
  [0x1f600, 0x1f640],
  [0x10400, 0x1044f],
];

function randomText(): string {
  const mix = [oneOf(SCRIPTS), oneOf(SCRIPTS)];
  return Array.from({ length: 1 + below(14) }, () => {
    const [first, end] = oneOf(mix);
    return String.fromCodePoint(first + below(end - first));
  }).join('');
}

/** Sentences of the documents of this project. */
function sentences(): string[] {
  const pages = ['design.md', 'glossary.md', 'reference/errors.md', 'reference/sparql.md', 'start/tour.md'];
  return pages.flatMap((page) =>
    readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8').split(/\n+|(?<=\.) /),
  );
}

function randomQuestion(words: readonly string[], texts: readonly string[]): string {
  const word = (): string => oneOf(words);
  const forms: readonly (() => string)[] = [
    word,
    () => `${word()} ${word()}`,
    () => `+${word()} +${word()}`,
    () => `+${word()} -${word()}`,
    () => `${word()} AND ${word()} OR ${word()}`,
    () => `(${word()} OR ${word()}) AND NOT ${word()}`,
    () => `"${word()} ${word()}"~${1 + below(8)}`,
    () => `${word().slice(0, 3)}*`,
    () => `${word()}~1`,
    () => `${word()}^2 ${word()}`,
    () => `${word()} || ${word()} && !${word()}`,
    () => `-${word()}`,
    () => `${word()} (`,
    () => `${word()} AND`,
    () => `"${word()}`,
    () => String.raw`\(${word()}\) ${word()}\:x`,
    () => {
      const found = [...wordsOf(oneOf(texts), 'case')]
        .map(({ text }) => text)
        .filter((text) => /^[a-z0-9]+$/.test(text));
      const at = below(Math.max(1, found.length - 2));
      return found.length < 2 ? word() : `"${found.slice(at, at + 2 + below(2)).join(' ')}"`;
    },
  ];
  return oneOf(forms)();
}

function askLucene(lines: readonly string[]): string[] {
  const classes = mkdtempSync(join(tmpdir(), 'quadrille-lucene-'));
  try {
    const path = [join(jars!, '*'), classes].join(delimiter);
    const run = (command: string, args: readonly string[], input?: string): string => {
      const done = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
      if (done.status !== 0) throw new Error(done.stderr);
      return done.stdout;
    };
    run('javac', ['-cp', join(jars!, '*'), '-d', classes, join(import.meta.dirname, 'Oracle.java')]);
    return run('java', ['-cp', path, 'Oracle'], `${lines.join('\n')}\n`)
      .trimEnd()
      .split('\n');
  } finally {
    rmSync(classes, { recursive: true, force: true });
  }
}

const inBase64 = (kind: string) => (text: string) => `${kind} ${Buffer.from(text).toString('base64')}`;

test.skipIf(jars === undefined)(
  `words, hits and scores are those of Lucene${jars === undefined ? ' (skipped without QUADRILLE_LUCENE)' : ''}`,
  async () => {
    const known = sentences();
    const texts = [...known, ...Array.from({ length: 5000 }, randomText)];
    const all = known.flatMap((text) => [...wordsOf(text, 'case')].map((word) => word.text));
    const words = [...new Set(all.filter((word) => /^[a-z]{2,}$/.test(word)))];
    const questions = Array.from({ length: 1000 }, () => randomQuestion(words, known));
    const answers = askLucene([...texts.map(inBase64('T')), ...questions.map(inBase64('Q'))]);
    const builder = new TextRunBuilder(FIRST_ID, 'case', 7);
    const utf8 = new TextEncoder();
    for (const [at, text] of texts.entries()) {
      const line = Buffer.from(answers[at]!, 'base64').toString();
      const expected = line === '' ? [] : line.split('\u0001').map((word) => foldWord(word, 'case'));
      expect(
        [...wordsOf(text, 'case')].map((word) => word.text),
        JSON.stringify(text),
      ).toEqual(expected);
      builder.add(FIRST_ID + at, utf8.encode(`"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`));
    }
    const end = FIRST_ID + texts.length;
    const run = await memoryRun(textKind('case'), { cache: new BlockCache(1 << 26) }, (put) =>
      builder.finish(end, put, NO_BREAKS),
    );
    const view = { runs: [run], mark: end, release: () => undefined };
    const pacer = new Pacer(platformEnv());
    let refused = 0;
    for (const [i, question] of questions.entries()) {
      const answer = answers[texts.length + i]!;
      if (answer === 'ERROR') {
        expect(() => parseTextQuery(question, 'case'), question).toThrow();
        refused++;
        continue;
      }
      const { ids, scores } = await searchText(view, parseTextQuery(question, 'case'), {}, pacer);
      const hits = answer
        .split(' ')
        .slice(1)
        .map((hit) => hit.split(':').map(Number) as [number, number]);
      expect(
        [...ids].map((id) => id - FIRST_ID),
        question,
      ).toEqual(hits.map(([hit]) => hit).toSorted((x, y) => x - y));
      // Lucene takes words that are near by the fifty nearest, and their rarity together.
      if (question.includes('~1')) continue;
      const ours = new Map([...ids].map((id, at) => [id - FIRST_ID, scores[at]!]));
      // It divides by the exact average length of texts; we round the lengths first, as it does those of the texts.
      for (const [hit, score] of hits) expect(Math.abs(ours.get(hit)! / score - 1), question).toBeLessThan(0.03);
    }
    expect(refused).toBeGreaterThan(10);
  },
  300_000,
);
