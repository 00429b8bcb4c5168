/**
 * Counts of every pattern against a model, over random histories with branches: through the library, SPARQL and HTTP, on every branch,
 * in transactions and at old revisions.
 *
 * QUADRILLE_SEED repeats a run. QUADRILLE_COUNT_STEPS: more operations.
 */
import { defaultGraph, iri, literal, quad, termToText } from '@quadrille/model';
import { openService } from '@quadrille/server/host';
import { createHandler } from '@quadrille/server';
import { MemoryDriver } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import type * as RDF from '@rdfjs/types';
import { open } from 'quadrille';
import type { Database, QuadPattern, Repository } from 'quadrille';
import { describe, it } from 'vitest';
import { check } from './check.js';
import { AsynchronousDriver, randomOf, SEED } from './environment.js';
import { below, pick } from './operations.mjs';
import type { Random } from './operations.mjs';

const STEPS = Number(process.env['QUADRILLE_COUNT_STEPS'] ?? 24);
const NAME = 'model/counts';
const POSITIONS = ['subject', 'predicate', 'object', 'graph'] as const;

type State = ReadonlyMap<string, RDF.Quad>;

interface Line {
  readonly name: string;
  readonly repository: Repository;
  /** By number of the revision. */
  readonly states: Map<number, State>;
}

const textOf = (of: RDF.Quad): string => POSITIONS.map((position) => termToText(of[position])).join(' ');

/** Quads that share terms, so that most patterns match some of them. Few are in named graphs. */
const ALL: readonly RDF.Quad[] = Array.from({ length: 96 }, (_, i) =>
  quad(
    iri(`http://e/s${i % 8}`),
    iri(`http://e/p${i % 3}`),
    i % 4 === 0 ? literal(String(i % 5)) : iri(`http://e/o${i % 7}`),
    i % 6 === 0 ? iri(`http://e/g${i % 4}`) : defaultGraph(),
  ),
);

/** All sixteen patterns of a quad. */
const patternsOf = (of: RDF.Quad): QuadPattern[] =>
  Array.from({ length: 16 }, (_, shape) =>
    Object.fromEntries(
      POSITIONS.filter((_position, i) => (shape >> i) & 1).map((position) => [position, of[position]]),
    ),
  );

const matches = (of: RDF.Quad, pattern: QuadPattern): boolean =>
  POSITIONS.every((position) => pattern[position]?.equals(of[position]) ?? true);

/** Counts with SPARQL's variables where the pattern has no term. Without a graph: the default graph and each named one. */
function queryOf(pattern: QuadPattern): string {
  const term = (position: 'subject' | 'predicate' | 'object'): string => {
    const given = pattern[position];
    return given ? termToText(given) : `?${position}`;
  };
  const triple = `${term('subject')} ${term('predicate')} ${term('object')}`;
  const { graph } = pattern;
  const where = !graph
    ? `{ ${triple} } UNION { GRAPH ?graph { ${triple} } }`
    : graph.termType === 'DefaultGraph'
      ? triple
      : `GRAPH ${termToText(graph)} { ${triple} }`;
  return `SELECT (COUNT(*) AS ?n) WHERE { ${where} }`;
}

const HTTP_NAMES = { subject: 'subj', predicate: 'pred', object: 'obj', graph: 'context' } as const;

class Counts {
  #db!: Database;
  #lines: Line[] = [];
  #handler!: (request: Request) => Promise<Response>;

  constructor(
    private readonly random: Random,
    private readonly driver: StorageDriver,
  ) {}

  async run(): Promise<void> {
    await this.#open();
    await this.#change(
      this.#lines[0]!,
      ALL.filter((_, i) => i % 3 !== 0),
      [],
    );
    for (let step = 0; step < STEPS; step++) await this.#step(step);
    await this.#db.close();
    const { random } = this;
    await this.#open();
    for (const line of this.#lines) {
      for (const number of line.states.keys()) await this.#compareOld(line, number, pick(random, ALL));
      await this.#compareTransaction(line);
    }
    await this.#db.close();
  }

  async #open(): Promise<void> {
    this.#db = await open({ storage: this.driver });
    const main = await this.#db.repository(NAME, { create: true });
    const known = new Map(this.#lines.map(({ name, states }) => [name, states]));
    this.#lines = [{ name: 'main', repository: main, states: known.get('main') ?? new Map([[1, new Map()]]) }];
    for (const [name, states] of known)
      if (name !== 'main') this.#lines.push({ name, repository: await main.branches.open(name), states });
    this.#handler = createHandler({ service: await openService(this.#db, { open: true }) });
  }

  async #step(step: number): Promise<void> {
    const { random } = this;
    const line = pick(random, this.#lines);
    const chance = random();
    if (step % 10 === 3 && this.#lines.length < 5) await this.#fork(line);
    else if (chance < 0.08) await this.#lines[0]!.repository.maintenance.compact();
    else if (chance < 0.14) await this.#db.close().then(() => this.#open());
    else await this.#change(line, chance < 0.5 ? this.#some(4) : [], this.#some(chance < 0.9 ? 3 : 30));
    for (const one of this.#lines) await this.#compareHead(one, pick(random, ALL));
  }

  #some(most: number): RDF.Quad[] {
    return Array.from({ length: below(this.random, most + 1) }, () => pick(this.random, ALL));
  }

  #stateOf({ states }: Line): State {
    return states.get(Math.max(...states.keys()))!;
  }

  async #fork(from: Line): Promise<void> {
    const name = `b${this.#lines.length}`;
    const repository = await from.repository.branches.open(name, { create: true });
    this.#lines.push({ name, repository, states: new Map(from.states) });
  }

  async #change(line: Line, added: readonly RDF.Quad[], removed: readonly RDF.Quad[]): Promise<void> {
    const next = new Map(this.#stateOf(line));
    for (const of of removed) next.delete(textOf(of));
    for (const of of added) next.set(textOf(of), of);
    const { number } = await line.repository.transaction(async (tx) => {
      await tx.remove([...removed]);
      await tx.add([...added]);
    });
    line.states.set(number, next);
  }

  async #compareHead(line: Line, of: RDF.Quad): Promise<void> {
    const state = this.#stateOf(line);
    await this.#compare(`the head of ${line.name}`, line.repository, state, of);
    await this.#compareHttp(line, `branch=${line.name}`, state, of);
  }

  async #compareOld(line: Line, number: number, of: RDF.Quad): Promise<void> {
    const state = line.states.get(number)!;
    const view = line.repository.at(number);
    await this.#compare(`revision ${number} of ${line.name}`, view, state, of);
    const { id } = await view.revision();
    await this.#compareHttp(line, `branch=${line.name}&revision=${id}`, state, of);
  }

  // Its own removals outnumber its additions, so that the changes of the transaction are negative in all.
  async #compareTransaction(line: Line): Promise<void> {
    const state = new Map(this.#stateOf(line));
    const gone = [...state.values()].slice(0, 4);
    const come = this.#some(1);
    await line.repository.transaction(async (tx) => {
      await tx.remove(gone);
      await tx.add(come);
      for (const of of gone) state.delete(textOf(of));
      for (const of of come) state.set(textOf(of), of);
      for (const of of [...gone, pick(this.random, ALL)])
        await this.#compare(`a transaction on ${line.name}`, tx, state, of);
      // Nothing of it stays.
      await tx.remove(come);
      await tx.add(gone);
      for (const of of come) if (this.#stateOf(line).has(textOf(of))) await tx.add([of]);
    });
  }

  async #compare(
    where: string,
    view: Pick<Repository, 'count' | 'quads' | 'select' | 'size'>,
    state: State,
    of: RDF.Quad,
  ): Promise<void> {
    const quads = [...state.values()];
    const size = await view.size();
    check(size === quads.length, () => `${where}: size ${size}, not ${quads.length}`);
    for (const pattern of patternsOf(of)) {
      const due = quads.filter((one) => matches(one, pattern)).length;
      const found = {
        count: await view.count(pattern),
        quads: (await view.quads(pattern).toArray()).length,
        sparql: Number((await view.select(queryOf(pattern)).toArray())[0]!['n']!.value),
      };
      for (const [what, count] of Object.entries(found))
        check(count === due, () => `${where}: ${what} says ${count}, not ${due}: ${queryOf(pattern)}`);
    }
  }

  async #compareHttp(line: Line, at: string, state: State, of: RDF.Quad): Promise<void> {
    const quads = [...state.values()];
    const base = `http://localhost:1/${NAME}`;
    const text = async (path: string, accept: string): Promise<string> => {
      const answer = await this.#handler(new Request(base + path, { headers: { Accept: accept } }));
      const body = await answer.text();
      check(answer.status === 200, () => `GET ${path}: ${answer.status} ${body}`);
      return body;
    };
    const context = of.graph.termType === 'DefaultGraph' ? 'null' : termToText(of.graph);
    for (const [path, due] of [
      [`/size?${at}`, quads.length],
      [
        `/size?${at}&context=${encodeURIComponent(context)}`,
        quads.filter((one) => matches(one, { graph: of.graph })).length,
      ],
    ] as const) {
      const size = await text(path, 'text/plain');
      check(Number(size) === due, () => `GET ${path} says ${size}, not ${due}`);
    }
    // Every shape in turn: all of them would take long.
    const patterns = patternsOf(of).filter((_, shape) => shape % 5 === line.states.size % 5);
    for (const pattern of patterns) {
      const due = quads.filter((one) => matches(one, pattern)).length;
      const parameters = POSITIONS.filter((position) => pattern[position]).map((position) => {
        const value = position === 'graph' ? context : termToText(pattern[position]!);
        return `&${HTTP_NAMES[position]}=${encodeURIComponent(value)}`;
      });
      const lines = await text(`/statements?${at}${parameters.join('')}`, 'application/n-quads');
      const rows = lines.split('\n').filter((row) => row !== '').length;
      check(rows === due, () => `GET /statements?${at}${parameters.join('')} has ${rows} rows, not ${due}`);
      const answer = await text(`/sparql?${at}&query=${encodeURIComponent(queryOf(pattern))}`, 'text/csv');
      const count = Number(answer.trim().split(/\s+/).at(-1));
      check(count === due, () => `GET /sparql?${at} says ${count}, not ${due}: ${queryOf(pattern)}`);
    }
  }
}

describe(`counts of every pattern (QUADRILLE_SEED=${SEED})`, () => {
  it.each([
    ['in memory', () => new MemoryDriver()],
    ['in a storage that answers later', () => new AsynchronousDriver()],
  ] as const)(
    '%s',
    async (name, driver) => {
      await new Counts(randomOf(name.length, SEED), driver()).run();
    },
    60_000 + STEPS * 2000,
  );
});
