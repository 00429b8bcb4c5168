import { createDefaultRegistry } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import {
  below,
  type Document,
  grammatical,
  mutated,
  quadsOf,
  suiteDocuments,
} from '../../formats/mutated-documents.js';
import { oracleDifference } from '../../formats/oracles.js';
import { type Kind, must } from '../kind.js';

/** Documents of one run. */
const DOCUMENTS = 100;
/** A document that is read for longer than this is a fault. */
const MOST_MS = 5000;
/** Formats by how often they come: those that are read by other libraries take longer. */
const TURNS = [
  'nt',
  'nq',
  'ttl',
  'trig',
  'ttl',
  'trig',
  'nt',
  'nq',
  'ttl',
  'trig',
  'rdf',
  'ttl',
  'trig',
  'jsonld',
  'ttl',
  'nt',
  'nq',
  'rj',
  'trix',
  'n3',
];
/** One in so many documents is read by other parsers, too. */
const ORACLES = 5;

const utf8 = new TextEncoder();
const registry = createDefaultRegistry();
registerExtraFormats(registry);

const textOf = (quads: readonly RDF.Quad[] | string): string =>
  typeof quads === 'string'
    ? `error ${quads}`
    : quads
        .map(({ subject, predicate, object, graph }) => [subject, predicate, object, graph].map(termToText).join(' '))
        .join('\n');

export const kind: Kind = {
  runs: 'batches',
  operations: 'documents',
  promise:
    'A document is read, or refused with an error that has a code. How it is cut into chunks changes nothing. No document stops the process.',
  how: `Small documents of all formats. Some are of the W3C suites, and some are made by the grammar of Turtle and TriG. Others are quads written as RDF/JSON, TriX and N3. They get random changes: bytes, tokens, parts of other documents, an early end. Each is read as a whole and in two parts. One in ${ORACLES} of N-Triples, N-Quads, Turtle and TriG is read by N3.js and Oxigraph, too: where both have the same quads, so do we.`,
  notPromised: 'Which of several errors is named.',
  goal: 1e7,
  async open() {
    const all = await suiteDocuments(registry);
    const byFormat = new Map<string, Document[]>(TURNS.map((format) => [format, []]));
    for (const document of all) byFormat.get(document.format)?.push(document);
    return {
      async run(seed) {
        const random = seed.random();
        const plan: string[] = [];
        for (let n = 0; n < DOCUMENTS; n++) {
          const format = TURNS[n % TURNS.length]!;
          const others = byFormat.get(format)!;
          const made = (format === 'ttl' || format === 'trig') && random() < 0.4;
          const source = made
            ? utf8.encode(grammatical(random, format === 'trig'))
            : others[below(random, others.length)]!.bytes;
          const document = made && random() < 0.3 ? source : mutated(source, random, others);
          const cut = below(random, document.length + 1);
          const told = (): string => `${format} of ${Buffer.from(document).toString('base64')}`;
          const since = performance.now();
          const whole = await quadsOf(registry, format, [document]);
          const ms = performance.now() - since;
          must(ms < MOST_MS, () => `${ms} ms for ${told()}`);
          const text = textOf(whole);
          const parts = textOf(await quadsOf(registry, format, [document.subarray(0, cut), document.subarray(cut)]));
          must(parts === text, () => `cut at ${cut}: ${text.slice(0, 200)} | ${parts.slice(0, 200)}: ${told()}`);
          if (n % ORACLES === 2) {
            const difference = oracleDifference(format, document, whole);
            must(difference === undefined, () => `${difference}: ${told()}`);
          }
          plan.push(`${format} ${cut} ${Buffer.from(document).toString('latin1')}`);
        }
        return { plan: plan.join('\n'), operations: DOCUMENTS };
      },
    };
  },
};
