/**
 * Queries as plain trees: easy to make, to write out, and to take parts away from. Terms are texts as they stand in a
 * query. The first member of a node tells what kind it is: nodes with the same first member can stand for each other.
 */

/** `?x`, `ex:a`, `"a"@en`, `_:b`, `<<( ex:a ex:p ?x )>>` */
export type TermText = string;

export type Path =
  | { readonly path: 'iri'; readonly iri: TermText }
  | { readonly path: 'inverse' | 'star' | 'plus' | 'maybe'; readonly of: Path }
  | { readonly path: 'sequence' | 'alternative'; readonly parts: readonly Path[] }
  | { readonly path: 'not'; readonly iris: readonly TermText[] };

export type Triple = readonly [subject: TermText, predicate: TermText | Path, object: TermText];

export type Expression =
  | { readonly expr: 'term'; readonly term: TermText }
  | { readonly expr: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly expr: 'infix'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly expr: 'prefix'; readonly sign: '!' | '-'; readonly of: Expression }
  | { readonly expr: 'in'; readonly not: boolean; readonly value: Expression; readonly list: readonly Expression[] }
  | { readonly expr: 'exists'; readonly not: boolean; readonly where: readonly Pattern[] }
  | Aggregate;

export interface Aggregate {
  readonly expr: 'aggregate';
  readonly name: string;
  readonly distinct: boolean;
  /** `undefined`: `*`. */
  readonly of?: Expression;
  readonly separator?: string;
}

export type Pattern =
  | { readonly pattern: 'triples'; readonly triples: readonly Triple[] }
  | { readonly pattern: 'group' | 'optional' | 'minus'; readonly where: readonly Pattern[] }
  | { readonly pattern: 'graph'; readonly graph: TermText; readonly where: readonly Pattern[] }
  | { readonly pattern: 'union'; readonly branches: readonly (readonly Pattern[])[] }
  | { readonly pattern: 'filter'; readonly condition: Expression }
  | { readonly pattern: 'bind'; readonly value: Expression; readonly as: TermText }
  | {
      readonly pattern: 'values';
      readonly variables: readonly TermText[];
      readonly rows: readonly (readonly TermText[])[];
    }
  | { readonly pattern: 'select'; readonly select: Select };

export interface Column {
  readonly name: TermText;
  readonly value?: Expression;
}

export interface SortKey {
  readonly value: Expression;
  readonly descending: boolean;
  /** The column that holds the key. */
  readonly column: TermText;
}

export interface Select {
  readonly distinct?: 'DISTINCT' | 'REDUCED';
  readonly columns: '*' | readonly Column[];
  readonly where: readonly Pattern[];
  readonly groupBy?: readonly Column[];
  readonly having?: readonly Expression[];
  readonly orderBy?: readonly SortKey[];
  readonly limit?: number;
  readonly offset?: number;
}

interface Dataset {
  readonly from: readonly TermText[];
  readonly fromNamed: readonly TermText[];
}

export type Query = Dataset &
  (
    | { readonly form: 'SELECT'; readonly select: Select }
    | { readonly form: 'ASK'; readonly where: readonly Pattern[] }
    | { readonly form: 'CONSTRUCT'; readonly template: readonly Triple[]; readonly where: readonly Pattern[] }
    | { readonly form: 'DESCRIBE'; readonly terms: readonly TermText[]; readonly where: readonly Pattern[] }
  );

export interface GraphTriples {
  /** `undefined`: the graph that the operation changes. */
  readonly graph?: TermText;
  readonly triples: readonly Triple[];
}

export type Update =
  | { readonly update: 'INSERT DATA' | 'DELETE DATA' | 'DELETE WHERE'; readonly quads: readonly GraphTriples[] }
  | {
      readonly update: 'modify';
      readonly with?: TermText;
      readonly delete?: readonly GraphTriples[];
      readonly insert?: readonly GraphTriples[];
      readonly using: readonly TermText[];
      readonly usingNamed: readonly TermText[];
      readonly where: readonly Pattern[];
    }
  | { readonly update: 'CLEAR' | 'DROP' | 'CREATE'; readonly silent: boolean; readonly target: TermText }
  | {
      readonly update: 'COPY' | 'MOVE' | 'ADD';
      readonly silent: boolean;
      readonly source: TermText;
      readonly destination: TermText;
    };

export const isVariable = (term: unknown): term is TermText => typeof term === 'string' && term.startsWith('?');
export const termOf = (term: TermText): Expression => ({ expr: 'term', term });
export const call = (name: string, ...args: readonly Expression[]): Expression => ({ expr: 'call', name, args });
export const infix = (left: Expression, sign: string, right: Expression): Expression => ({
  expr: 'infix',
  sign,
  left,
  right,
});
