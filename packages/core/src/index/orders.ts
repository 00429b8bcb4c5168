/**
 * The four index orders, and the table that maps the bound positions of a pattern to an order. All 16 combinations
 * have an entry, so every pattern is read by an index.
 */
import { DEFAULT_GRAPH } from '../format/layout.js';

/** The orders of the indexes, by the positions of a quad. */
export type OrderName = 'spog' | 'posg' | 'ospg' | 'gspo';

/** The positions of a quad. They index every table of columns by position. */
export const S = 0;
export const P = 1;
export const O = 2;
export const G = 3;

export interface Order {
  readonly name: OrderName;
  /** The number of the order, as on disk. */
  readonly number: number;
  /** `columns[i]` is the quad position at place i of this order. */
  readonly columns: readonly [number, number, number, number];
  /** The inverse: `places[position]` is the place of a quad position in this order. */
  readonly places: readonly [number, number, number, number];
  /** Whether the order holds only the quads of named graphs. */
  readonly namedOnly: boolean;
}

export const SPOG: Order = { name: 'spog', number: 0, columns: [S, P, O, G], places: [0, 1, 2, 3], namedOnly: false };
export const POSG: Order = { name: 'posg', number: 1, columns: [P, O, S, G], places: [2, 0, 1, 3], namedOnly: false };
export const OSPG: Order = { name: 'ospg', number: 2, columns: [O, S, P, G], places: [1, 2, 0, 3], namedOnly: false };
export const GSPO: Order = { name: 'gspo', number: 3, columns: [G, S, P, O], places: [1, 2, 3, 0], namedOnly: true };
export const ORDERS: readonly Order[] = [SPOG, POSG, OSPG, GSPO];

/** Ids that a quad must have; 0 matches any id. */
export interface IdPattern {
  /** Id of the subject. */
  readonly s: number;
  /** Id of the predicate. */
  readonly p: number;
  /** Id of the object. */
  readonly o: number;
  /** Id of the graph. */
  readonly g: number;
}

/** The pattern that every quad matches. */
export const ANY: IdPattern = { s: 0, p: 0, o: 0, g: 0 };

/**
 * How a pattern is read. The first `prefix` places of the order are bound; the `residual` positions are checked row
 * by row.
 */
export interface AccessPath {
  readonly order: Order;
  readonly prefix: number;
  readonly residual: readonly number[];
}

const row = (order: Order, prefix: number, ...residual: number[]): AccessPath => ({ order, prefix, residual });

/** Indexed by bound positions: 1 = subject, 2 = predicate, 4 = object, 8 = named graph. */
export const ACCESS_PATHS: readonly AccessPath[] = [
  /* – – – – */ row(SPOG, 0),
  /* s – – – */ row(SPOG, 1),
  /* – p – – */ row(POSG, 1),
  /* s p – – */ row(SPOG, 2),
  /* – – o – */ row(OSPG, 1),
  /* s – o – */ row(OSPG, 2),
  /* – p o – */ row(POSG, 2),
  /* s p o – */ row(SPOG, 3),
  /* – – – g */ row(GSPO, 1),
  /* s – – g */ row(GSPO, 2),
  /* – p – g */ row(POSG, 1, G),
  /* s p – g */ row(GSPO, 3),
  /* – – o g */ row(OSPG, 1, G),
  /* s – o g */ row(OSPG, 2, G),
  /* – p o g */ row(POSG, 2, G),
  /* s p o g */ row(SPOG, 4),
];

// GSPO has no quads of the default graph. Other orders check the graph row by row, unless all four positions are
// bound.
const DEFAULT_GRAPH_PATHS: readonly AccessPath[] = ACCESS_PATHS.slice(0, 8).map((path, bound) =>
  bound === 7 ? row(SPOG, 4) : row(path.order, path.prefix, G),
);

/** The access path of a pattern. */
export function accessPath(pattern: IdPattern): AccessPath {
  const bound = (pattern.s ? 1 : 0) | (pattern.p ? 2 : 0) | (pattern.o ? 4 : 0);
  if (pattern.g === DEFAULT_GRAPH) return DEFAULT_GRAPH_PATHS[bound]!;
  return ACCESS_PATHS[bound | (pattern.g ? 8 : 0)]!;
}

const BY_NAME: Readonly<Record<OrderName, Order>> = { spog: SPOG, posg: POSG, ospg: OSPG, gspo: GSPO };

/**
 * The access path of a pattern in an order that the reader wants. Bound positions outside the prefix are checked row
 * by row.
 */
export function pathInOrder(name: OrderName, { s, p, o, g }: IdPattern): AccessPath {
  const order = BY_NAME[name];
  const ids = [s, p, o, g];
  let prefix = 0;
  while (prefix < 4 && ids[order.columns[prefix]!] !== 0) prefix++;
  const residual = order.columns.slice(prefix).filter((position) => ids[position] !== 0);
  return { order, prefix, residual };
}

/** Bounds, both included, of the first place after the prefix of a path. */
export interface Bounds {
  readonly least: number;
  readonly greatest: number;
}

/** Options of a scan. */
export interface ScanOptions {
  /**
   * The order in which quads are returned. Default: the one that reads fewest rows. `gspo` returns named graphs only.
   */
  readonly order?: OrderName;
  /** Bounds, both included, of the first unbound place of the order. */
  readonly least?: number;
  /** The upper bound; see `least`. */
  readonly greatest?: number;
}

/** The bounds of a path; `undefined` if they exclude nothing, or if all places are bound. */
export function boundsOf(path: AccessPath, least: number, greatest: number): Bounds | undefined {
  if (path.prefix === 4 || (least === 0 && greatest === 0xffff_ffff)) return undefined;
  return { least, greatest };
}

/** A copy of the ids with another id at a place. */
export function withPlace(ids: readonly number[], place: number, id: number): readonly number[] {
  const changed = [...ids];
  changed[place] = id;
  return changed;
}

/** The pattern's ids in the sequence of an order. */
export function orderedIds(order: Order, { s, p, o, g }: IdPattern): readonly [number, number, number, number] {
  switch (order) {
    case SPOG:
      return [s, p, o, g];
    case POSG:
      return [p, o, s, g];
    case OSPG:
      return [o, s, p, g];
    default:
      return [g, s, p, o];
  }
}
