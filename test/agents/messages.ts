/** Random messages of an agent: calls of all tools, their mutations, and lines that are none. */
import type { Chance } from '../sparql-random/chance.js';
import { mutate } from '../rpc/mutate.js';

/** A line that is sent. */
export interface Line {
  readonly text: string;
  /** The id of the answer, `null` where it has none; `undefined`: there is no answer. */
  readonly id: string | number | null | undefined;
  /** Bytes that the text of the answer may have, where it is one of a tool. */
  readonly budget: number;
}

/** Of an answer that names no budget. */
const DEFAULT_BYTES = 16 * 1024;
const LEAST_BYTES = 512;
const MOST_BYTES = 1024 * 1024;
const MOST_CURSORS = 8;

/** Makes the lines of one agent. Ids are never those of two requests under way. */
export class Messages {
  #last = 0;
  readonly #names: readonly string[];
  readonly #cursors: string[] = [];
  readonly #earlier: Buffer[] = [Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}')];

  constructor(private readonly chance: Chance) {
    this.#names = ['Ada', 'Bob', '__proto__', ...chance.times(8, 8, () => this.#text(60))];
  }

  /** What an answer may give to later calls. */
  heard(cursor: unknown): void {
    if (typeof cursor === 'string') this.#cursors.push(cursor);
    if (this.#cursors.length > MOST_CURSORS) this.#cursors.shift();
  }

  next(): Line {
    const { chance } = this;
    const message = JSON.stringify(this.#message());
    const kind = chance.below(100);
    if (kind < 80) return lineOf(message);
    if (kind < 98) {
      const mutated = mutate(Buffer.from(message), chance, this.#earlier).toString('utf8');
      if (this.#earlier.push(Buffer.from(message)) > 50) this.#earlier.shift();
      return lineOf(mutated.replaceAll('\n', ' '));
    }
    return lineOf(chance.among(['', ' ', '{', '[]', 'null', '"text"', '\u0000', `[${message}]`, '{'.repeat(5000)]));
  }

  #message(): object {
    const { chance } = this;
    const id = chance.in(0.1) ? `id ${++this.#last}` : ++this.#last;
    const [method, params] = chance.in(0.85) ? ['tools/call', this.#call()] : this.#other();
    return { jsonrpc: '2.0', id, method, params };
  }

  #other(): [string, object] {
    const { chance } = this;
    const uri = chance.among([
      'memory://knowledge-graph',
      'quadrille://memory/graph',
      `quadrille://memory/graph@${chance.below(30)}`,
      `quadrille://memory/graph@HEAD/${encodeURIComponent(`urn:quadrille:memory:entity:${this.#name()}`)}`,
      `quadrille://${this.#text(20)}`,
      this.#text(20),
    ]);
    return chance.among<[string, object]>([
      ['initialize', { protocolVersion: chance.among(['2025-11-25', '2025-06-18', '1.0', this.#text(9)]) }],
      ['ping', {}],
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri }],
      ['resources/subscribe', { uri }],
      ['resources/unsubscribe', { uri }],
      ['prompts/list', {}],
      ['prompts/get', { name: chance.among(['recall', 'summary', this.#text(9)]), arguments: { x: this.#text(9) } }],
      [this.#text(30), {}],
    ]);
  }

  #call(): object {
    const { chance } = this;
    const [name, input] = this.#tool();
    const call: Record<string, unknown> = { name, arguments: input };
    if (chance.in(0.15)) this.#spoil(input);
    return call;
  }

  /** Puts something else in the place of a member. */
  #spoil(input: Record<string, unknown>): void {
    const { chance } = this;
    const names = [
      ...Object.keys(input),
      'at',
      'branch',
      'maxBytes',
      'cursor',
      'timeoutMs',
      'repository',
      this.#text(9),
    ];
    input[chance.among(names)] = chance.among<unknown>([
      null,
      -1,
      0,
      1e308,
      1.5,
      512,
      '',
      'HEAD~1',
      '2026-11-30',
      '9999-12-31',
      true,
      [],
      [null],
      {},
      '\ud800',
      this.#text(200),
      this.#cursor(),
    ]);
  }

  #tool(): [string, Record<string, unknown>] {
    const { chance } = this;
    const text = (most: number): string => this.#text(most);
    const name = (): string => this.#name();
    const some = <T>(make: () => T): T[] => chance.times(0, 6, make);
    const entity = (): object => ({ name: name(), entityType: text(20), observations: some(() => text(400)) });
    const revision = (): string =>
      chance.among([String(1 + chance.below(60)), 'HEAD', 'HEAD~2', '2026-11-30', text(9)]);
    const budget = { maxBytes: LEAST_BYTES + chance.below(4000) };
    const paging = {
      ...(chance.in(0.8) && budget),
      ...(chance.in(0.2) && { cursor: this.#cursor() }),
    };
    return chance.among<() => [string, Record<string, unknown>]>([
      () => ['create_entities', { entities: some(entity) }],
      () => ['create_relations', { relations: some(() => ({ from: name(), to: name(), relationType: text(30) })) }],
      () => ['add_observations', { observations: some(() => this.#observations()) }],
      () => ['delete_entities', { entityNames: some(() => (chance.in(0.1) ? name() : text(300))) }],
      () => [
        'delete_observations',
        { deletions: some(() => ({ entityName: name(), observations: some(() => text(30)) })) },
      ],
      () => ['delete_relations', { relations: some(() => ({ from: name(), to: name(), relationType: text(30) })) }],
      () => ['read_graph', { ...paging }],
      () => ['search_nodes', { query: text(3), ...paging }],
      () => ['open_nodes', { names: some(name), ...paging }],
      () => ['recall', { text: text(6), ...budget }],
      () => ['as_of', { at: revision(), ...(chance.in(0.5) && { query: text(3) }), ...paging }],
      () => ['history', { name: name(), ...budget }],
      () => ['why', { name: name(), observation: text(30) }],
      () => ['undo', chance.in(0.5) ? {} : { revision: revision() }],
      () => ['describe', { ...budget }],
      () => ['query', { query: this.#query(), ...(chance.in(0.3) && { at: revision() }), ...paging }],
      () => ['compare', { query: this.#query(), from: revision(), ...budget }],
      () => ['find', { text: text(4), ...paging }],
      () => ['docs_search', { text: text(4), ...budget }],
      () => ['update', { update: this.#update(), ...(chance.in(0.3) && { dry_run: true }) }],
      () => ['branch', { name: chance.among(['dev', text(9)]) }],
      () => ['merge', { from: chance.among(['dev', text(9)]), ...(chance.in(0.3) && { dry_run: true }) }],
      () => ['revert', { revision: revision() }],
      () => [text(60), { [text(60)]: text(60) }],
    ])();
  }

  #observations(): object {
    const { chance } = this;
    return {
      entityName: this.#name(),
      contents: chance.times(0, 5, () => this.#text(400)),
      ...(chance.in(0.2) && { source: this.#text(30), confidence: chance.below(100) / 100, validFrom: '2026-11-30' }),
    };
  }

  /** Which choices follow does not depend on what was heard. */
  #cursor(): string {
    return this.#cursors[this.chance.below(MOST_CURSORS)] ?? 'bm8gY3Vyc29y';
  }

  #query(): string {
    const { chance } = this;
    return chance.among([
      'SELECT * { ?s ?p ?o }',
      'SELECT ?o { ?s ?p ?o } ORDER BY ?o',
      'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f }',
      'CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }',
      'DESCRIBE ?s { ?s ?p "tea" }',
      'ASK {}',
      'DELETE WHERE { ?s ?p ?o }',
      `SELECT (1 AS ?${'v'.repeat(1 + chance.below(900))}) {}`,
      `SELECT (STR(${JSON.stringify(this.#text(900))}) AS ?x) {}`,
      `SELEC ${this.#text(200)}`,
    ]);
  }

  #update(): string {
    const { chance } = this;
    const quad = `<urn:${chance.below(99)}> <urn:p> ${JSON.stringify(this.#text(300))}`;
    return chance.among([
      `INSERT DATA { ${quad} }`,
      `INSERT DATA { GRAPH <urn:g> { ${quad} } }`,
      `DELETE DATA { ${quad} }`,
      `DELETE WHERE { <urn:${chance.below(99)}> ?p ?o }`,
      `INSER ${this.#text(200)}`,
    ]);
  }

  #name(): string {
    return this.chance.among(this.#names);
  }

  /** Words, so that searches find something, and characters of all lengths. */
  #text(most: number): string {
    const { chance } = this;
    const pieces = ['tea', 'ada', ' ', 'é', '日', '🦆', '"', '\\', '\n', '*', '~', '(', '-', '\u0001', 'x'];
    return chance.times(1, 1 + chance.below(most), () => chance.among(pieces)).join('');
  }
}

/** A number that is too large would be told as null. */
const isIdOf = (id: unknown): id is string | number => typeof id === 'string' || Number.isFinite(id);

/** What a line must be answered with, by the rules of JSON-RPC. */
export function lineOf(text: string): Line {
  const none = { text, id: undefined, budget: 0 };
  if (text.trim() === '') return none;
  const wrong = { text, id: null, budget: 0 };
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return wrong;
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return wrong;
  const { jsonrpc, id, method, params = {} } = message as Record<string, unknown>;
  if (method === undefined && ('result' in message || 'error' in message)) return none;
  const isId = isIdOf(id);
  const isParams = typeof params === 'object' && params !== null && !Array.isArray(params);
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !isParams || (id !== undefined && !isId))
    return { text, id: isId ? id : null, budget: 0 };
  if (id === undefined) return none;
  return { text, id, budget: method === 'tools/call' ? budgetOf(params) : 0 };
}

function budgetOf({ arguments: input }: { readonly arguments?: unknown }): number {
  const { maxBytes } = (input ?? {}) as { readonly maxBytes?: unknown };
  const isBudget = typeof maxBytes === 'number' && Number.isInteger(maxBytes) && maxBytes >= LEAST_BYTES;
  return isBudget && maxBytes <= MOST_BYTES ? maxBytes : DEFAULT_BYTES;
}
