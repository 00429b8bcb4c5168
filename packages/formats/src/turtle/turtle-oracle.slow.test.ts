/** Turtle and TriG are read as the library n3 reads them: the documents of the W3C, made ones and broken ones. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ParseError, quad, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import { expect, it } from 'vitest';
import { SEED } from '../../../../test/model/environment.js';
import { areIsomorphic } from '../../../../test/w3c/isomorphism.js';
import { describeSuite, readManifest, W3C_FOLDER } from '../../../../test/w3c/manifest.js';
import { QuadCollector } from '../collector.js';
import { createTurtleParser } from './turtle-parser.js';

const BASE = 'http://base/a/b?c';
const MADE = /#(?:reifies|rest)$/;
const HEAD = '@prefix e: <http://e/> .\nPREFIX x: <http://www.w3.org/2001/XMLSchema#>\n';

/** The quads of a document, or why it has none. */
function read(parse: () => RDF.Quad[]): RDF.Quad[] | string {
  try {
    return parse();
  } catch (error) {
    return (error as Error).message;
  }
}

function ours(text: string, trig: boolean, baseIRI = BASE): RDF.Quad[] {
  const sink = new QuadCollector();
  const parser = createTurtleParser({ sink, trig, baseIRI });
  parser.push(new TextEncoder().encode(text));
  parser.end();
  return sink.take();
}

function theirs(text: string, trig: boolean, baseIRI = BASE): RDF.Quad[] {
  const format = trig ? 'application/trig' : 'text/turtle';
  const options = { format, baseIRI, blankNodePrefix: '_:', parseUnsupportedVersions: true };
  return new Parser(options).parse(text) as RDF.Quad[];
}

/** Within reified triples the library loses the graph of some statements that it makes: these are compared without it. */
function same(left: readonly RDF.Quad[], right: readonly RDF.Quad[]): boolean {
  const compared = (one: RDF.Quad): RDF.Quad =>
    MADE.test(one.predicate.value) ? quad(one.subject, one.predicate, one.object) : one;
  return areIsomorphic(left.map(compared), right.map(compared));
}

const linesOf = (quads: readonly RDF.Quad[]): string[] =>
  quads.map((one) => [one.subject, one.predicate, one.object, one.graph].map(termToText).join(' ')).sort();

/** Random numbers that a seed repeats. */
class Dice {
  constructor(private state: number) {}

  below(count: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * count);
  }

  one<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  many(most: number, make: () => string, between: string): string {
    return Array.from({ length: 1 + this.below(most) }, make).join(between);
  }
}

const IRIS = ['e:s', 'e:', 'e:é', 'e:a.b', 'e:1', 'e:a%20b', 'e:a\\,b', 'e:a:b', '<http://e/é>', '<http://e/\\u00e9>'];
const RELATIVE = ['<>', '<#f>', '<../d>', '<c/./d>', '</e>', '<//h/i>', '<?q>', '<c>'];
const LABELS = ['_:b', '_:b.c', '_:1', '_:anon1'];
const ANONYMOUS = ['[]', '[ ]'];
const LITERALS = [
  '"a"',
  '"é😀\\t\\u0041\\""',
  "'s'",
  '"""l\n"q" \\\\\n"""',
  "'''x'y'''",
  '""',
  '"x"@en',
  '"x"@en-GB',
  '"y"@ar--rtl',
  '"1"^^x:integer',
  '"s"^^x:string',
  '"t"^^<http://e/t>',
  '1',
  '-1.5',
  '+.5',
  '1e3',
  '1.5E-7',
  'true',
  'false',
];

/** Makes documents that are right, with white space between all tokens. */
class Maker {
  constructor(private readonly dice: Dice) {}

  document(trig: boolean): string {
    const kinds = trig ? [...'sssgd'] : [...'sssd'];
    return (
      HEAD +
      this.dice.many(4, () => this.#part(this.dice.one(kinds)), '\n') +
      this.dice.one(['', '\n', ' # end', '\n# end\n'])
    );
  }

  #part(kind: string): string {
    const { dice } = this;
    if (kind === 'd') {
      return dice.one([
        '@prefix e: <http://other/> .',
        'PREFIX f: <g/>',
        'BASE <h/i>',
        '@base <http://x/y/z> .',
        'VERSION "1.2"',
        '@version "1.2" .',
      ]);
    }
    if (kind === 's') return `${this.#statement()} .`;
    const label = dice.one(['', 'e:g', '_:g', '[]', 'GRAPH e:g', 'graph <g>']);
    const statements = dice.many(3, () => this.#statement(), ' .\n ');
    // The library wants a dot behind a reified triple that ends a graph.
    const last = statements.endsWith('>>') ? ' .' : dice.one([' .', '']);
    return `${label} { ${dice.one(['', statements + last])} }`;
  }

  #statement(): string {
    const { dice } = this;
    const kind = dice.below(10);
    if (kind === 0) return `[ ${this.#properties(2)} ]`;
    if (kind === 1) return this.#reified(2);
    return `${kind === 2 ? this.#list() : this.#node()} ${this.#properties(2)}`;
  }

  #node(): string {
    return this.dice.one(this.dice.one([IRIS, RELATIVE, LABELS, ANONYMOUS]));
  }

  /** A node that the library takes behind `~` and within `<< >>` too. */
  #named(): string {
    return this.dice.one(this.dice.one([IRIS, RELATIVE, LABELS]));
  }

  #verb(): string {
    return this.dice.one(['a', this.dice.one(IRIS), this.dice.one(RELATIVE)]);
  }

  #properties(depth: number): string {
    const objects = (): string => this.dice.many(2, () => this.#object(depth) + this.#annotations(depth), ' , ');
    return this.dice.many(3, () => `${this.#verb()} ${objects()}`, this.dice.one([' ; ', ' ;; '])) + this.#tail();
  }

  #tail(): string {
    return this.dice.one(['', '', ' ;', ' ; ;']);
  }

  #annotations(depth: number): string {
    if (depth === 0 || this.dice.below(5) > 0) return '';
    const one = (): string =>
      this.dice.one([' ~ ', ` ~ ${this.#named()} `, ` {| ${this.#properties(depth - 1).replace(/[; ]+$/, '')} |} `]);
    return this.dice.many(3, one, ' ');
  }

  #list(): string {
    if (this.dice.below(3) === 0) return '( )';
    // The library loses the graph of a list behind a reified triple: there is none in these.
    return `( ${this.dice.many(3, () => this.#object(0), ' ')} )`;
  }

  #object(depth: number): string {
    const kind = this.dice.below(depth > 0 ? 12 : 8);
    if (kind < 4) return this.#node();
    if (kind < 8) return this.dice.one(LITERALS);
    if (kind === 8) return `[ ${this.#properties(depth - 1)} ]`;
    if (kind === 9) return this.#list();
    return kind === 10 ? this.#tripleTerm(depth) : this.#reified(depth);
  }

  #tripleTerm(depth: number): string {
    const inner = depth > 0 && this.dice.below(3) === 0 ? this.#tripleTerm(depth - 1) : this.dice.one(LITERALS);
    return `<<( ${this.#named()} ${this.#verb()} ${this.dice.one([this.#named(), inner])} )>>`;
  }

  #reified(depth: number): string {
    const inner = (): string => (depth > 0 && this.dice.below(3) === 0 ? this.#reified(depth - 1) : this.#named());
    const object = this.dice.one([inner(), this.dice.one(LITERALS), this.#tripleTerm(depth)]);
    return `<< ${inner()} ${this.#verb()} ${object} ${this.dice.one(['', '~', `~ ${this.#named()}`])} >>`;
  }
}

it.each([
  ['Turtle', false],
  ['TriG', true],
])(`made documents have the same quads: %s (QUADRILLE_SEED=${SEED})`, (_, trig) => {
  const maker = new Maker(new Dice(SEED));
  for (let i = 0; i < 400; i++) {
    const text = maker.document(trig);
    const wanted = read(() => theirs(text, trig));
    const got = read(() => ours(text, trig));
    const what = `QUADRILLE_SEED=${SEED}, document ${i}:\n${text}`;
    expect(typeof wanted, `${what}\n${String(wanted)}`).toBe('object');
    expect(typeof got, `${what}\n${String(got)}`).toBe('object');
    if (typeof got === 'string' || typeof wanted === 'string') continue;
    if (!same(got, wanted)) expect(linesOf(got), what).toEqual(linesOf(wanted));
  }
});

/** Where the library is stricter than the grammar: it wants space around some tokens, and no "#" before a colon. */
const TOO_STRICT = /^Unexpected ".*(?:~|\|\}|\d)|Invalid IRI|valid IRI|reading 'value'/;
/** Where it is laxer: graphs in graphs, brackets that end like statements, a datatype without a string. */
const TOO_LAX = /found "(?:\{|GRAPH|graph|\^\^)|or "[\]|]\}?", found|found "\."/;

it('broken documents are read, or refused, alike', () => {
  const dice = new Dice(2026);
  const maker = new Maker(dice);
  const alike = { read: 0, refused: 0, other: 0 };
  for (let i = 0; i < 1500; i++) {
    const trig = dice.below(2) === 1;
    const characters = [...maker.document(trig)];
    const at = HEAD.length + dice.below(characters.length - HEAD.length);
    characters.splice(at, dice.below(2), dice.one([...`"'\\.;,:_-@^<> \n#[]()a5{}|~%é`, '']));
    const text = characters.join('');
    const wanted = read(() => theirs(text, trig));
    const got = read(() => ours(text, trig));
    if (typeof got === 'string' && typeof wanted === 'string') alike.refused++;
    else if (typeof got !== 'string' && typeof wanted !== 'string') {
      alike.read++;
      if (!same(got, wanted)) expect(linesOf(got), text).toEqual(linesOf(wanted));
    } else {
      alike.other++;
      if (typeof wanted === 'string') expect(wanted, `only ours is read: ${text}`).toMatch(TOO_STRICT);
      else expect(got, `only theirs is read: ${text}`).toMatch(TOO_LAX);
    }
  }
  expect(alike.read).toBeGreaterThan(100);
  expect(alike.refused).toBeGreaterThan(500);
  expect(alike.other).toBeLessThan(50);
});

describeSuite('the documents of the W3C', W3C_FOLDER, () => {
  it.each([
    ['rdf11', 'turtle'],
    ['rdf11', 'trig'],
    ['rdf12', 'turtle'],
    ['rdf12', 'trig'],
  ])('%s %s', (version, suite) => {
    const trig = suite === 'trig';
    for (const { action, base } of readManifest(resolve(W3C_FOLDER, version, `rdf-${suite}/manifest.ttl`))) {
      const text = readFileSync(action, 'utf8');
      const wanted = read(() => theirs(text, trig, base));
      const got = read(() => ours(text, trig, base));
      expect(typeof got, `${action}: ${String(got)}; ${String(wanted)}`).toBe(typeof wanted);
      if (typeof got === 'object') expect(same(got, wanted as RDF.Quad[]), action).toBe(true);
    }
  });
});

it('errors are ParseErrors', () => expect(() => ours('x', false)).toThrow(ParseError));
