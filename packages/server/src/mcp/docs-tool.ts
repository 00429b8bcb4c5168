/** The tool that searches the documents of this version. They have nothing of a store. */
import { brotliDecompressSync } from 'node:zlib';
import { DEFAULT_BYTES, Page, PAGING } from './page.js';
import type { Tool } from './tool.js';

/** Gives documents, packed: `[[page, [heading, text], …], …]`. The first heading of a page is its title. */
export type Documents = () => Promise<Uint8Array>;

interface Section {
  readonly page: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** What a word is worth where it is found. */
const WEIGHTS = { heading: 4, title: 3, page: 2, text: 1 } as const;

const read = new WeakMap<Documents, Promise<readonly Section[]>>();

/** They are read once. */
function sectionsOf(documents: Documents): Promise<readonly Section[]> {
  const before = read.get(documents);
  if (before !== undefined) return before;
  const reading = documents().then(parsed);
  read.set(documents, reading);
  reading.catch(() => read.delete(documents));
  return reading;
}

function parsed(packed: Uint8Array): Section[] {
  const pages = JSON.parse(brotliDecompressSync(packed).toString()) as [string, ...[string, string][]][];
  return pages.flatMap(([page, ...sections]) => {
    const [[title] = ['']] = sections;
    return sections.map(([heading, text]) => ({ page, title, heading, text }));
  });
}

export function docsSearch(documents: Documents): Tool {
  return {
    name: 'docs_search',
    toolset: 'data',
    title: 'Search the documents',
    description:
      'Find what the documents of this version of Quadrille say: its SPARQL functions, history, settings, commands, errors. The best sections come first, each with how it begins',
    input: {
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 1024, description: 'Words to look for' },
        maxBytes: PAGING.maxBytes,
      },
      required: ['text'],
    },
    effect: 'reads',
    needsStore: false,
    run: async ({ text, maxBytes = DEFAULT_BYTES }: { text: string; maxBytes?: number }) => {
      const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_:-]+/gu))];
      const found = (await sectionsOf(documents))
        .map((section) => ({ section, score: scoreOf(section, words) }))
        .filter(({ score }) => score > 0)
        .toSorted((x, y) => y.score - x.score);
      const page = new Page<Section>(maxBytes, { sections: [] });
      for (const { section } of found.slice(0, MOST)) if (!page.add(section)) break;
      return { structured: { sections: page.items, hasMore: page.items.length < found.length } };
    },
  };
}

const MOST = 20;

/** A section that has more of the words is better than one that has one of them often. */
function scoreOf(section: Section, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    let best = 0;
    for (const [member, weight] of Object.entries(WEIGHTS) as [keyof typeof WEIGHTS, number][])
      if (weight > best && section[member].toLowerCase().includes(word)) best = weight;
    score += best === 0 ? 0 : best + FOUND;
  }
  return score;
}

const FOUND = 10;
