/** Generated texts to search: words of syllables, the frequent ones far more often than the rare ones. */
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

const SYLLABLES = 'ka lo mi ter an us pra de vo ri sen tal gor ma ne pi qu os el bra'.split(' ');
const VOCABULARY = 200_000;
const PROPERTIES = 5;

/** What is asked, in the syntax of Lucene. */
export const QUESTIONS = { 'one word': 'misen', 'three words': 'lolo misen brami', prefix: 'tal*' } as const;
/** About 10,000 of a million texts have it. */
export const FREQUENT = 'brami';

export interface GeneratedText {
  readonly subject: string;
  readonly property: string;
  readonly text: string;
  readonly language: string | undefined;
}

export const propertyOf = (number: number): string => `http://example.org/p${String(number % PROPERTIES)}`;

function wordOf(number: number): string {
  let word = '';
  let rest = number;
  do {
    word += SYLLABLES[rest % SYLLABLES.length]!;
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return number % 7 === 0 ? `${word}s` : word;
}

/** The same texts for the same seed. */
export function* generatedTexts(count: number, seed: number): Generator<GeneratedText> {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let number = 0; number < count; number++) {
    const words = Array.from({ length: 3 + Math.floor(random() * 10) }, () =>
      wordOf(Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random()) - 1)),
    );
    const text = `${words.join(' ')}.`;
    yield {
      subject: `http://example.org/s${String(number)}`,
      property: propertyOf(number),
      text: text[0]!.toUpperCase() + text.slice(1),
      language: number % 3 === 0 ? 'en' : undefined,
    };
  }
}

/** Writes a line for each text. */
export async function writeTexts(
  file: string,
  count: number,
  seed: number,
  lineOf: (text: GeneratedText) => string,
): Promise<void> {
  const out = createWriteStream(file);
  for (const text of generatedTexts(count, seed)) if (!out.write(`${lineOf(text)}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
}

export const asNTriples = ({ subject, property, text, language }: GeneratedText): string =>
  `<${subject}> <${property}> "${text}"${language === undefined ? '' : `@${language}`} .`;
