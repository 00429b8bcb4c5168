/** The graph in the rows of an answer: resources as nodes, statements between them as links, literals as facts of their node. */
import { type Places, settle } from './forces.js';
import { isLabel, languageOf, preferredLanguage } from './labels.js';
import type { RowSource } from './row-source.js';
import { parseTerm } from './term.js';

/** Columns by what they are for. */
export interface Roles {
  readonly from: number;
  readonly to: number;
  /** What is between them; -1 for nothing. */
  readonly link: number;
}

export interface Fact {
  /** A cell; undefined where no column says it. */
  readonly predicate: string | undefined;
  readonly value: string;
}

export interface Node {
  /** The cell. */
  readonly id: string;
  readonly facts: readonly Fact[];
  /** In the language that the user reads best. */
  readonly label: string | undefined;
}

export interface Link {
  readonly from: string;
  readonly to: string;
  /** A cell; undefined where no column says it. */
  readonly predicate: string | undefined;
}

export interface Network {
  /** Undefined where no two columns have resources; then there are no nodes. */
  readonly roles: Roles | undefined;
  /** Columns whose values are resources, as far as the first rows tell. */
  readonly resources: readonly number[];
  /** Those with most links first. */
  readonly nodes: readonly Node[];
  readonly links: readonly Link[];
  /** The number of nodes that were too many. They are left out with their links. */
  readonly left: number;
  /** Of the nodes; undefined for so many that placing them would take too long. */
  readonly places: Places | undefined;
  /** The number of rows that were looked at; not all of very many are. */
  readonly rows: number;
}

export interface NetworkChoice extends Partial<Roles> {
  readonly mostNodes: number;
  /** Tags of the languages that the user reads, the best one first. */
  readonly languages: readonly string[];
}

const MOST_ROWS = 50_000;
const MOST_PLACED = 2000;
const LOOKED_AT = 500;
const SUBJECT = /^s(?:ubj(?:ect)?)?$/i;
const PREDICATE = /^p(?:red(?:icate)?)?$/i;
const OBJECT = /^o(?:bj(?:ect)?)?$/i;

const isResource = (cell: string): boolean => /^(?:<(?!<)|_:)/.test(cell);

/** Nodes are taken in the order of the rows. Columns that are not named are chosen by their names and values. */
export function networkOf(source: RowSource, { mostNodes, languages, ...wanted }: NetworkChoice): Network {
  const resources = resourceColumns(source);
  const best = rolesOf(source.columns ?? [], resources);
  const roles = best && { ...best, ...wanted };
  const rows = Math.min(source.shown, MOST_ROWS);
  const growing = new GrowingNetwork(mostNodes);
  if (roles !== undefined) {
    for (let row = 0; row < rows; row++) {
      const cells = source.cells(row);
      growing.add(cells[roles.from] ?? '', cells[roles.link], cells[roles.to] ?? '');
    }
  }
  const grown = growing.grown(languages);
  return { roles, resources, rows, ...grown, places: placesOf(grown) };
}

function placesOf({ nodes, links }: Pick<Network, 'nodes' | 'links'>): Places | undefined {
  if (nodes.length > MOST_PLACED) return undefined;
  const numbers = new Map(nodes.map(({ id }, number) => [id, number]));
  return settle(nodes.length, new Uint32Array(links.flatMap(({ from, to }) => [numbers.get(from)!, numbers.get(to)!])));
}

function resourceColumns(source: RowSource): number[] {
  const some = Array.from({ length: Math.min(source.shown, LOOKED_AT) }, (_, row) => source.cells(row));
  return (source.columns ?? []).flatMap((_, column) => {
    const cells = some.map((row) => row[column] ?? '').filter((cell) => cell !== '');
    return cells.length > 0 && cells.filter(isResource).length * 2 >= cells.length ? [column] : [];
  });
}

/** Columns that are called subject, predicate and object, or `s`, `p` and `o`; else the first two of resources. */
function rolesOf(names: readonly string[], [first, second]: readonly number[]): Roles | undefined {
  const called = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));
  const [subject, object] = [called(SUBJECT), called(OBJECT)];
  if (subject >= 0 && object >= 0) return { from: subject, to: object, link: called(PREDICATE) };
  return first === undefined || second === undefined ? undefined : { from: first, to: second, link: -1 };
}

interface GrowingNode {
  /** By what they say. */
  readonly facts: Map<string, Fact>;
  /** By language. */
  readonly labels: Map<string, string>;
  links: number;
}

class GrowingNetwork {
  readonly #nodes = new Map<string, GrowingNode>();
  readonly #links = new Map<string, Link>();
  readonly #left = new Set<string>();

  constructor(readonly mostNodes: number) {}

  #node(cell: string): GrowingNode | undefined {
    const known = this.#nodes.get(cell);
    if (known !== undefined || !isResource(cell)) return known;
    if (this.#nodes.size >= this.mostNodes) {
      this.#left.add(cell);
      return undefined;
    }
    const made: GrowingNode = { facts: new Map(), labels: new Map(), links: 0 };
    this.#nodes.set(cell, made);
    return made;
  }

  add(from: string, predicate: string | undefined, to: string): void {
    const start = this.#node(from);
    if (to !== '' && !isResource(to)) {
      if (start !== undefined) addFact(start, { predicate, value: to });
      return;
    }
    const end = this.#node(to);
    const key = `${from} ${predicate ?? ''} ${to}`;
    if (start === undefined || end === undefined || this.#links.has(key)) return;
    this.#links.set(key, { from, to, predicate });
    start.links++;
    end.links++;
  }

  grown(languages: readonly string[]): Pick<Network, 'nodes' | 'links' | 'left'> {
    const sorted = [...this.#nodes].sort(([, a], [, b]) => b.links - a.links);
    return {
      nodes: sorted.map(([id, { facts, labels }]) => ({
        id,
        facts: [...facts.values()],
        label: labels.get(preferredLanguage(labels, languages) ?? ''),
      })),
      links: [...this.#links.values()],
      left: this.#left.size,
    };
  }
}

function addFact({ facts, labels }: GrowingNode, fact: Fact): void {
  facts.set(`${fact.predicate ?? ''} ${fact.value}`, fact);
  if (fact.predicate === undefined || !isLabel(parseTerm(fact.predicate).value)) return;
  const { value, language } = parseTerm(fact.value);
  if (!labels.has(languageOf(language))) labels.set(languageOf(language), value);
}
