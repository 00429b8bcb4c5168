/** MiniSearch and Orama, which hold their index in memory. They are taken from a directory, since nothing else here needs them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { timed } from '../measure.js';
import { type Context, type Figure, figure, type Figures } from '../workload.js';
import { medianMs } from './ask-quadrille.js';
import { generatedTexts, QUESTIONS } from './texts.js';

/** A directory in which `npm install minisearch @orama/orama` was run. */
const DIRECTORY = process.env['QUADRILLE_SEARCH_PEERS'];

/** What a library does with the texts. */
interface Library {
  add(id: number, text: string): void;
  /** The number of hits; the best ones are made. */
  search(question: string): number;
}

interface MiniSearch {
  add(document: { readonly id: number; readonly text: string }): void;
  search(text: string, options: { readonly prefix: boolean }): readonly unknown[];
}
interface Orama {
  create(options: { readonly schema: { readonly text: 'string' } }): object;
  insert(db: object, document: { readonly text: string }): string;
  search(
    db: object,
    options: { readonly term: string; readonly limit: number; readonly threshold: number },
  ): { readonly count: number };
}

const pathOf = (name: string): string => createRequire(join(DIRECTORY!, 'package.json')).resolve(name);
// What `require` finds has all that it exports in `default`.
const load = async <T>(name: string): Promise<T> =>
  ((await import(pathToFileURL(pathOf(name)).href)) as { default: T }).default;

const LIBRARIES: Readonly<Record<string, () => Promise<Library>>> = {
  minisearch: async () => {
    const Index = await load<new (options: object) => MiniSearch>('minisearch');
    const index = new Index({ fields: ['text'] });
    return {
      add: (id, text) => index.add({ id, text }),
      search: (question) => index.search(question.replace('*', ''), { prefix: question.endsWith('*') }).length,
    };
  },
  '@orama/orama': async () => {
    const orama = await load<Orama>('@orama/orama');
    const db = orama.create({ schema: { text: 'string' } });
    return {
      add: (_, text) => void orama.insert(db, { text }),
      // It finds words that begin as the words of a question do.
      search: (question) => orama.search(db, { term: question.replace('*', ''), limit: 10, threshold: 1 }).count,
    };
  },
};

export const lacksLibrary = (name: string) => (): string | undefined => {
  if (DIRECTORY === undefined) return `QUADRILLE_SEARCH_PEERS names no directory with ${name}`;
  try {
    pathOf(name);
    return undefined;
  } catch {
    return `${DIRECTORY} has no ${name}`;
  }
};

export async function measureLibrary(name: string, { sizes, seed }: Context): Promise<Figures> {
  const library = await LIBRARIES[name]!();
  const texts = Array.from(generatedTexts(sizes.quads, seed), ({ text }) => text);
  const loaded = await timed(() => {
    for (const [id, text] of texts.entries()) library.add(id, text);
    return Promise.resolve();
  });
  const figures: Record<string, Figure> = {
    load: figure(loaded.seconds, 's'),
    'until all can be found': figure(loaded.seconds, 's'),
  };
  for (const [question, text] of Object.entries(QUESTIONS)) {
    figures[question] = await medianMs(() => library.search(text), 5);
    figures[`${question}, hits`] = figure(library.search(text), 'literals');
  }
  return figures;
}
