/** Documents of all formats with random changes: those of the W3C suites, such as the grammar of Turtle makes, and quads written in other formats. */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openParser, QuadCollector, type FormatRegistry } from '@quadrille/formats';
import { QuadrilleError } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { readManifest, W3C_FOLDER, W3C_ROOT } from '../w3c/manifest.js';

export type Random = () => number;

export interface Document {
  /** An extension of its name. */
  readonly format: string;
  readonly bytes: Uint8Array;
}

const SUITES = ['n-triples', 'n-quads', 'turtle', 'trig', 'xml'].flatMap((name) => [
  `rdf11/rdf-${name}`,
  `rdf12/rdf-${name}`,
]);
/** Larger ones are mutated, too, by those below. */
const MOST_BYTES = 3000;
const BASE = 'http://example.org/d';
const utf8 = new TextEncoder();

const PIECES =
  '<> <a:b> "x"@en "x"@en--ltr ^^ << >> <<( )>> ~ {| |} [ ] ( ) { } . ; , @prefix PREFIX @base BASE VERSION GRAPH \\u \\uD800 \\U0010FFFF # _:b "" \'\'\' """ :a a true 1e0 -1.5 <!-- --> <![CDATA[ ]]> &#0; &lt; rdf:ID="a" xml:lang="e" <!DOCTYPE { } : "@id" "@context" "@type" "@value" null => ='
    .split(' ')
    .concat('\u0000', '\ufeff', '\r\n', '\u2028', 'é', '𝄞')
    .map((piece) => utf8.encode(piece));

export const below = (random: Random, most: number): number => Math.floor(random() * most);
const one = <T>(random: Random, choices: readonly T[]): T => choices[below(random, choices.length)]!;
const joined = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** All documents of the suites that are not large. Quads of the Turtle ones stand for RDF/JSON, TriX and N3. */
export async function suiteDocuments(registry: FormatRegistry): Promise<readonly Document[]> {
  const files = SUITES.flatMap((suite) =>
    readManifest(resolve(W3C_FOLDER, suite, 'manifest.ttl')).map(({ action }) => action),
  );
  const jsonLd = resolve(W3C_ROOT, '../json-ld-api/tests/toRdf');
  files.push(...readdirSync(jsonLd).flatMap((name) => (name.endsWith('-in.jsonld') ? [resolve(jsonLd, name)] : [])));
  const all = files.map((file) => ({ format: file.slice(file.lastIndexOf('.') + 1), bytes: readFileSync(file) }));
  const small = all.filter(({ bytes }) => bytes.length <= MOST_BYTES);
  const written: Document[] = [];
  for (const { bytes } of small.filter(({ format }) => format === 'ttl').slice(0, 120)) {
    const quads = await quadsOf(registry, 'ttl', [bytes]);
    if (!Array.isArray(quads) || quads.length === 0) continue;
    for (const format of ['rj', 'trix', 'n3']) {
      const text = writtenIn(registry, format, quads);
      if (text !== undefined) written.push({ format, bytes: utf8.encode(text) });
    }
  }
  return [...small, ...written];
}

function writtenIn(registry: FormatRegistry, format: string, quads: readonly RDF.Quad[]): string | undefined {
  const made = registry.find(format).createSerializer?.({ prefixes: {} });
  if (made === undefined) return undefined;
  try {
    return made.write(quads) + made.end();
  } catch (error) {
    if (error instanceof QuadrilleError) return undefined;
    throw error;
  }
}

/** One to three changes of the bytes; `others` are documents of the same format, which parts come from. */
export function mutated(bytes: Uint8Array, random: Random, others: readonly Document[]): Uint8Array {
  let result = bytes;
  for (let left = 1 + below(random, 3); left > 0; left--) {
    const from = below(random, result.length + 1);
    const to = Math.min(result.length, from + below(random, random() < 0.2 ? result.length + 1 : 12));
    const [before, cut, after] = [result.subarray(0, from), result.subarray(from, to), result.subarray(to)];
    switch (below(random, 8)) {
      case 0:
        result = joined(before, after);
        break;
      case 1:
        result = joined(before, cut, cut, after);
        break;
      case 2:
        result = joined(before, one(random, PIECES), after);
        break;
      case 3:
        result = joined(before, one(random, PIECES), cut, after);
        break;
      case 4:
        result = joined(before, Uint8Array.of(below(random, 256)), result.subarray(Math.min(result.length, from + 1)));
        break;
      case 5: {
        const { bytes: other } = one(random, others);
        const start = below(random, other.length + 1);
        result = joined(before, other.subarray(start, start + below(random, 60)), after);
        break;
      }
      case 6:
        result = before;
        break;
      default:
        result = swapped(result, from, random);
    }
  }
  return result;
}

/** Two bytes exchange their places. */
function swapped(bytes: Uint8Array, at: number, random: Random): Uint8Array {
  if (bytes.length === 0) return bytes;
  const result = bytes.slice();
  const [a, b] = [at % bytes.length, below(random, bytes.length)];
  [result[a], result[b]] = [result[b]!, result[a]!];
  return result;
}

const IRIS = [
  '<http://e/a>',
  '<urn:b>',
  '<#f>',
  '<>',
  '<../x>',
  'ex:a',
  ':b',
  'ex:',
  'ex:a.b',
  'ex:%41',
  'ex:\\~c',
  '<\\u0061:b>',
];
const LITERALS = [
  '"a"',
  "'b'",
  '""',
  '"""c"d\n"""',
  "'''e'f'''",
  '"\\t\\"\\u0041"',
  '"é𝄞"',
  '"a"@en',
  '"a"@en-GB--ltr',
  '"1"^^xsd:integer',
  '1',
  '-1.5',
  '1e3',
  '.5',
  'true',
  'false',
];
const LABELS = ['_:a', '_:b.c', '_:1', '_:é'];

/** A document by the productions of Turtle, or of TriG. */
export function grammatical(random: Random, trig: boolean): string {
  const statements = [
    '@prefix ex: <http://example.org/> .',
    'PREFIX : <urn:x:>',
    '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .',
  ];
  const made = new Grammar(random);
  for (let n = 1 + below(random, 4); n > 0; n--)
    statements.push(trig && random() < 0.5 ? made.graph() : made.statement());
  return statements.join(one(random, ['\n', ' ', '\r\n', ' # c\n']));
}

class Grammar {
  #depth = 0;

  constructor(private readonly random: Random) {}

  graph(): string {
    const name = one(this.random, [...IRIS.slice(0, 6), '_:g', '']);
    const inside = this.#list(0, 3, '\n', () => this.statement());
    return `${this.random() < 0.3 && name !== '' ? 'GRAPH ' : ''}${name} { ${inside} }`;
  }

  statement(): string {
    if (this.random() < 0.06)
      return one(this.random, ['@base <http://b/x/> .', 'BASE <y/>', 'VERSION "1.2"', 'PREFIX ex: <urn:e:>']);
    return `${this.#subject()} ${this.#predicates()} .`;
  }

  #subject(): string {
    const chance = this.random();
    if (chance < 0.1) return this.#nested(() => `[ ${this.#predicates()} ]`);
    if (chance < 0.16) return this.#nested(() => this.#collection());
    if (chance < 0.22)
      return this.#nested(() => `<< ${this.#subject()} ${one(this.random, IRIS)} ${this.#object()} >>`);
    return one(this.random, chance < 0.4 ? LABELS : IRIS);
  }

  #predicates(): string {
    const one_ = (): string => `${one(this.random, [...IRIS, 'a'])} ${this.#list(1, 3, ' , ', () => this.#object())}`;
    return this.#list(1, 3, ' ; ', one_);
  }

  #object(): string {
    const chance = this.random();
    const annotation = this.random() < 0.06 ? this.#nested(() => ` {| ${this.#predicates()} |}`) : '';
    if (chance < 0.4) return one(this.random, LITERALS) + annotation;
    if (chance < 0.5)
      return this.#nested(() => `<<( ${one(this.random, IRIS)} ${one(this.random, IRIS)} ${this.#object()} )>>`);
    return this.#subject() + annotation;
  }

  #collection(): string {
    return `( ${this.#list(0, 3, ' ', () => this.#object())} )`;
  }

  // Deep ones would have no end.
  #nested(make: () => string): string {
    if (this.#depth >= 4) return one(this.random, IRIS);
    this.#depth++;
    const text = make();
    this.#depth--;
    return text;
  }

  #list(least: number, most: number, separator: string, make: () => string): string {
    return Array.from({ length: least + below(this.random, most - least + 1) }, make).join(separator);
  }
}

/** The quads of a document that comes in these parts, or the code of its error. */
export async function quadsOf(
  registry: FormatRegistry,
  format: string,
  parts: readonly Uint8Array[],
): Promise<RDF.Quad[] | string> {
  const sink = new QuadCollector();
  try {
    const parser = await openParser(registry.find(format), { sink, source: format, baseIRI: BASE });
    for (const part of parts) await parser.push(part);
    await parser.end();
  } catch (error) {
    if (!(error instanceof QuadrilleError)) throw error;
    return error.code;
  }
  return sink.take();
}
