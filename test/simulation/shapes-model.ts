/** Shapes of a simulation, and a naive model of what violates them: all of a state is looked at, by loops. */
import { below, lineOf, quadOf, someOf, type Random, type State } from '../model/operations.mjs';

/** The graph of the shapes. */
export const SHAPES = 'a:shapes';
const GRAPH = `<${SHAPES}>`;
const SH = 'http://www.w3.org/ns/shacl#';
export const REIFIES = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>';

/** The triples of a state, by predicate. */
class Triples {
  readonly #pairs = new Map<string, Map<string, readonly [string, string]>>();

  constructor(state: State) {
    for (const line of state) {
      const [s, p, o, g] = quadOf(line).texts as [string, string, string, string];
      if (g === GRAPH) continue;
      let pairs = this.#pairs.get(p);
      if (pairs === undefined) this.#pairs.set(p, (pairs = new Map()));
      pairs.set(`${s} ${o}`, [s, o]);
    }
  }

  of(predicate: string): readonly (readonly [string, string])[] {
    return [...(this.#pairs.get(predicate)?.values() ?? [])];
  }

  objects(subject: string, predicate: string): string[] {
    return this.of(predicate)
      .filter(([s]) => s === subject)
      .map(([, o]) => o);
  }
}

interface Rule {
  readonly lines: readonly string[];
  violations(triples: Triples): Iterable<string>;
  /** Whether the removal of a quad can violate it, and so an erasure, which asks no guard. */
  readonly needs?: boolean;
}

const line = (subject: string, name: string, object: string): string =>
  lineOf(`<a:${subject}>`, `<${SH}${name}>`, object, GRAPH);
const query = (name: string, target: string, predicate: string, text: string): string[] => [
  line(name, target, predicate),
  line(name, 'sparql', `<a:${name}-query>`),
  line(`${name}-query`, 'select', `"${text}"`),
];
const few = (most: number): Rule => ({
  lines: [
    line('few', 'targetSubjectsOf', '<a:p2>'),
    line('few', 'property', '<a:few-property>'),
    line('few-property', 'path', '<a:p0>'),
    line('few-property', 'maxCount', `"${most}"^^<http://www.w3.org/2001/XMLSchema#integer>`),
  ],
  *violations(triples) {
    for (const [s] of triples.of('<a:p2>')) if (triples.objects(s, '<a:p0>').length > most) yield s;
  },
});

const RULES: Readonly<Record<string, Rule>> = {
  'few 2': few(2),
  'few 3': few(3),
  apart: {
    lines: query('apart', 'targetSubjectsOf', '<a:p1>', 'SELECT $this ?value { $this <a:p1> ?value ; <a:p0> ?value }'),
    *violations(triples) {
      for (const [s, o] of triples.of('<a:p1>')) if (triples.objects(s, '<a:p0>').includes(o)) yield `${s} ${o}`;
    },
  },
  shared: {
    lines: query(
      'shared',
      'targetObjectsOf',
      '<a:p2>',
      'SELECT $this ?value { ?x <a:p2> $this ; <a:p1> ?value . ?y <a:p0> $this ; <a:p1> ?value }',
    ),
    *violations(triples) {
      for (const [x, o] of triples.of('<a:p2>'))
        for (const [y, other] of triples.of('<a:p0>'))
          if (o === other)
            for (const value of triples.objects(x, '<a:p1>'))
              if (triples.objects(y, '<a:p1>').includes(value)) yield `${o} ${value}`;
    },
  },
  sourced: {
    lines: [
      line('sourced', 'targetSubjectsOf', '<a:p1>'),
      line('sourced', 'property', '<a:sourced-property>'),
      line('sourced-property', 'path', '<a:p0>'),
      line('sourced-property', 'reifierShape', '<a:source>'),
      line('source', 'property', '<a:source-property>'),
      line('source-property', 'path', '<a:p2>'),
      line('source-property', 'maxCount', `"0"^^<http://www.w3.org/2001/XMLSchema#integer>`),
    ],
    *violations(triples) {
      for (const [s] of triples.of('<a:p1>'))
        for (const o of triples.objects(s, '<a:p0>'))
          for (const [reifier, statement] of triples.of(REIFIES))
            if (statement === `<<( ${s} <a:p0> ${o} )>>` && triples.objects(reifier, '<a:p2>').length > 0)
              yield `${s} ${o}`;
    },
  },
  named: {
    needs: true,
    lines: [
      line('named', 'targetSubjectsOf', '<a:p2>'),
      line('named', 'property', '<a:named-property>'),
      line('named-property', 'path', '<a:p1>'),
      line('named-property', 'minCount', `"1"^^<http://www.w3.org/2001/XMLSchema#integer>`),
    ],
    *violations(triples) {
      for (const [s] of triples.of('<a:p2>')) if (triples.objects(s, '<a:p1>').length === 0) yield s;
    },
  },
};

/** Some rules by name. Two that say something else of the same path are no shapes. */
export function someRules(random: Random, isErased: boolean): string[] {
  const possible = Object.keys(RULES).filter((name) => !isErased || RULES[name]!.needs !== true);
  const some = new Set(someOf(random, new Set(possible), 3));
  if (some.has('few 2')) some.delete('few 3');
  return [...some];
}

export const linesOf = (rules: readonly string[]): string[] => rules.flatMap((name) => RULES[name]!.lines);

/** A rule comes, or goes. */
export function changedRule(random: Random, state: State, isErased: boolean): { added: string[]; removed: string[] } {
  const [name] = someRules(random, isErased) as [string];
  const { lines } = RULES[name]!;
  return below(random, 2) === 0 && lines.every((one) => state.has(one))
    ? { added: [], removed: [...lines] }
    : { added: [...lines], removed: [] };
}

const isOfShapes = (one: string): boolean => quadOf(one).texts[3] === GRAPH;

/** The quads of a state, but those of the shapes. */
export const dataOf = (state: State): State => new Set([...state].filter((one) => !isOfShapes(one)));

/** The rules of the shapes of a state; `undefined` where these are in pieces, or say two things, as merges may leave them. */
export function rulesOf(state: State): readonly string[] | undefined {
  const left = new Set([...state].filter(isOfShapes));
  const rules = Object.keys(RULES).filter((name) => RULES[name]!.lines.every((one) => left.has(one)));
  for (const name of rules) for (const one of RULES[name]!.lines) left.delete(one);
  return left.size > 0 || (rules.includes('few 2') && rules.includes('few 3')) ? undefined : rules;
}

/** What in a state violates rules. */
export function violationsOf(state: State, rules: readonly string[]): ReadonlySet<string> {
  const triples = new Triples(state);
  return new Set(rules.flatMap((name) => Array.from(RULES[name]!.violations(triples), (one) => `${name}: ${one}`)));
}
