/** Invented words, as many as a large dictionary has, and texts of them. */
import { Random } from './random.js';

const ONSETS = 'b c d f g h j l m n p r s t v br cl dr fl gr pl st tr sh th'.split(' ');
const NUCLEI = 'a e i o u ai ea ou io'.split(' ');
const CODAS = ['', '', '', 'n', 'r', 's', 'l', 't', 'ng', 'st'];
const WORDS = 30_000;

export const DICTIONARY: readonly string[] = makeWords();

function makeWords(): string[] {
  const random = new Random();
  random.restart(1, 0, 0);
  const words = new Set<string>();
  while (words.size < WORDS) {
    let word = '';
    for (let syllables = random.between(2, 4); syllables > 0; syllables--) {
      word += random.pick(ONSETS) + random.pick(NUCLEI) + random.pick(CODAS);
    }
    words.add(word);
  }
  return [...words];
}

/** A text of `least` to `most` words. */
export function text(random: Random, least: number, most: number): string {
  let words = random.pick(DICTIONARY);
  for (let more = random.between(least, most) - 1; more > 0; more--) words += ` ${random.pick(DICTIONARY)}`;
  return words;
}
