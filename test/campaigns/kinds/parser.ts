import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createDefaultRegistry, openParser, QuadCollector } from '@quadrille/formats';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { QuadrilleError, termToText } from '@quadrille/model';
import { readManifest, W3C_FOLDER } from '../../w3c/manifest.js';
import { type Kind, must } from '../kind.js';

interface Document {
  readonly format: string;
  readonly bytes: Uint8Array;
}
type Random = () => number;

const SUITES = ['n-triples', 'n-quads', 'turtle', 'trig'].flatMap((name) => [`rdf11/rdf-${name}`, `rdf12/rdf-${name}`]);
const ALL_SUITES = [...SUITES, 'rdf11/rdf-xml', 'rdf12/rdf-xml'];
/** A document that is read for longer than this is a fault. */
const MOST_MS = 5000;
const PIECES =
  '<> <a:b> "x"@en ^^ << >> <<( )>> [ ] ( ) { } . ; , @prefix \\u \\uD800 \\U0010FFFF # _:b "" \'\'\' """ :a a true 1e0 -1.5 <!-- --> <![CDATA[ ]]> &#0; &lt; rdf:ID="a" xml:lang="e" <!DOCTYPE'
    .split(' ')
    .concat('\u0000', '\ufeff', '\r\n', '\u2028')
    .map((piece) => new TextEncoder().encode(piece));

const registry = createDefaultRegistry();
registerExtraFormats(registry);

function documents(): Document[] {
  const found = ALL_SUITES.flatMap((suite) => {
    try {
      return readManifest(resolve(W3C_FOLDER, suite, 'manifest.ttl')).map(({ action }) => action);
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return [];
      throw error;
    }
  });
  const all = found.map((file) => ({ format: file.slice(file.lastIndexOf('.') + 1), bytes: readFileSync(file) }));
  must(all.length > 0, () => 'the W3C suites are wanted: set QUADRILLE_SHARED');
  return all;
}

const below = (random: Random, most: number): number => Math.floor(random() * most);
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

function mutated(bytes: Uint8Array, random: Random, others: readonly Document[]): Uint8Array {
  let result = bytes;
  for (let left = 1 + below(random, 3); left > 0; left--) {
    const from = below(random, result.length + 1);
    const to = Math.min(result.length, from + below(random, random() < 0.2 ? result.length + 1 : 12));
    const [before, cut, after] = [result.subarray(0, from), result.subarray(from, to), result.subarray(to)];
    const other = others[below(random, others.length)]!.bytes;
    const start = below(random, other.length + 1);
    const choices = [
      () => joined(before, after),
      () => joined(before, cut, cut, after),
      () => joined(before, PIECES[below(random, PIECES.length)]!, after),
      () => joined(before, PIECES[below(random, PIECES.length)]!, cut, after),
      () => joined(before, Uint8Array.of(below(random, 256)), result.subarray(Math.min(result.length, from + 1))),
      () => joined(before, other.subarray(start, start + below(random, 60)), after),
      () => before,
    ];
    result = choices[below(random, choices.length)]!();
  }
  return result;
}

/** The quads of a document, or its error. */
async function read(format: string, parts: readonly Uint8Array[]): Promise<string> {
  const sink = new QuadCollector();
  try {
    const parser = await openParser(registry.find(format), { sink, source: format, baseIRI: 'http://example.org/d' });
    for (const part of parts) await parser.push(part);
    await parser.end();
  } catch (error) {
    if (!(error instanceof QuadrilleError)) throw error;
    return `error ${error.code}`;
  }
  return sink
    .take()
    .map(({ subject, predicate, object, graph }) => [subject, predicate, object, graph].map(termToText).join(' '))
    .join('\n');
}

export const kind: Kind = {
  runs: 'documents',
  promise:
    'A document is read, or refused with an error that has a code. How it is cut into chunks changes nothing. No document stops the process.',
  how: 'Documents of the W3C suites of N-Triples, N-Quads, Turtle, TriG and RDF/XML get random changes: bytes, tokens, parts of other documents, an early end. Each is read as a whole and in two parts.',
  notPromised: 'Which of several errors is named.',
  goal: 1e7,
  async open() {
    const all = documents();
    return {
      async run(seed) {
        const random = seed.random();
        const { format, bytes } = all[below(random, all.length)]!;
        const document = mutated(
          bytes,
          random,
          all.filter((other) => other.format === format),
        );
        const cut = below(random, document.length + 1);
        const text = Buffer.from(document).toString('base64');
        const since = performance.now();
        const whole = await read(format, [document]);
        const ms = performance.now() - since;
        must(ms < MOST_MS, () => `${format} took ${ms} ms: ${text}`);
        const parts = await read(format, [document.subarray(0, cut), document.subarray(cut)]);
        must(
          parts === whole,
          () => `${format}, cut at ${cut}: ${whole.slice(0, 200)} | ${parts.slice(0, 200)}: ${text}`,
        );
        return { plan: `${format} ${cut} ${text}\n${whole}` };
      },
    };
  },
};
