/** Compares the text index with the literals that it was made of, by sums: neither side is held in memory. */
import { CorruptionError } from '@quadrille/model';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { Pacer } from '../runtime/env.js';
import { LANGUAGE_KEY, LENGTHS, readLanguage, readPostings } from './postings.js';
import { literalWords } from './run-builder.js';
import { eachTerm } from '../values/value-index.js';
import { ValueSum } from '../values/value-sum.js';
import { TextIndex } from './text-index.js';
import type { TextRun } from './text-run.js';
import type { Fold } from './words.js';

/**
 * Reads all runs of an index on disk, and all literals that it covers. Returns the number of places.
 * @throws CorruptionError `INDEX_DISAGREES`
 */
export async function checkTexts(dictionary: Dictionary, fold: Fold, pacer: Pacer): Promise<number> {
  const index = await TextIndex.open(dictionary, fold);
  const { runs, release } = index.stored();
  let count = 0;
  try {
    for (const run of runs) count += await checkRun(dictionary, run, fold, pacer);
  } finally {
    release();
  }
  return count;
}

async function checkRun(dictionary: Dictionary, run: TextRun, fold: Fold, pacer: Pacer): Promise<number> {
  const { id: number, from, to } = run.entry;
  const stored = await storedSum(run, pacer);
  const made = new ValueSum();
  const { bytes: lengths } = await run.lengths();
  let isLengthWrong = false;
  await eachTerm(
    dictionary,
    from,
    to,
    (id, term) => {
      let words = 0;
      literalWords(term, fold, (word, length, place) => {
        made.add(word, length, id, place);
        if (word[0] !== LANGUAGE_KEY) words++;
      });
      const length = LENGTHS[lengths[id - from]!]!;
      if (words === 0 ? length !== 0 : Math.abs(length - words) * 8 > words) isLengthWrong = true;
    },
    undefined,
    pacer,
  );
  if (!isLengthWrong && stored.equals(made)) return made.count;
  const problem = `run ${number} of the index of words has other words than the literals ${from} to ${to}: rebuild makes it again`;
  throw new CorruptionError('INDEX_DISAGREES', problem);
}

async function storedSum(run: TextRun, pacer: Pacer): Promise<ValueSum> {
  const sum = new ValueSum();
  const { from: first, to: mark } = run.entry;
  const entries: {
    readonly word: Uint8Array;
    readonly count: number;
    readonly start: number;
    readonly length: number;
  }[] = [];
  const addAll = async (): Promise<void> => {
    for (const { word, ...entry } of entries.splice(0)) {
      const bytes = await run.postings(entry);
      const range = { count: entry.count, first, mark };
      if (word[0] === LANGUAGE_KEY) for (const id of readLanguage(bytes, range)) sum.add(word, word.length, id, 0);
      else {
        const { ids, counts, length, places } = readPostings(bytes, range, true);
        for (let i = 0, at = 0; i < length; i++)
          for (let left = counts[i]!; left > 0; left--) sum.add(word, word.length, ids[i]!, places![at++]!);
      }
      if (pacer.due()) await pacer.pause();
    }
  };
  for (let page = 0; page < run.entry.pages; page++) {
    await run.eachWord(page, ({ word, entry }) => entries.push({ word: word.slice(), ...entry }));
    await addAll();
  }
  return sum;
}
