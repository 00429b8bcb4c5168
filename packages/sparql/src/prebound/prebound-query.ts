/** A query whose variables get their values beforehand. It is parsed once, and asked for many rows of values. */
import type * as RDF from '@rdfjs/types';
import { InvalidArgumentError, iri } from '@quadrille/model';
import { isNode, mapChildren, type Operation, type Pattern, type PropertyPath } from '../algebra/algebra.js';
import { bindQuery, columnsOf } from '../algebra/substitute-variables.js';
import { type SparqlTemplate, valuePlaceholder } from '../algebra/template.js';
import { makePattern } from '../algebra/terms.js';
import { mentionedVariables } from '../algebra/variables.js';
import { type PreparedSparql, prepare, requestFor, requestsFor } from '../engine/prepare.js';
import { type Reach, reachOf } from './reach.js';
import { checkRestrictions, namesElsewhere, refuseService } from './restrictions.js';
import { rowsOf, seeded, takesRows } from './seeded.js';

/** What a query is made with. */
export interface PreboundOptions {
  /** Prefixes of its text. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** The form that it must have. */
  readonly kind: 'select' | 'ask';
  /** Variables whose values differ with each row. */
  readonly rows: readonly string[];
  /** Variables with one value for all rows. */
  readonly constants: Readonly<Record<string, RDF.Term>>;
  /** What `$PATH` stands for. */
  readonly path?: PropertyPath | undefined;
  /** A graph that is no part of the data. */
  readonly apart?: RDF.Term | undefined;
  /** Whether the text may have everything but SERVICE, since its variables are not pre-bound but joined. */
  readonly joined?: boolean;
}

type Maker = ReturnType<typeof requestsFor>;

/** The variable for the path of a property shape. */
const PATH = 'PATH';

export class PreboundQuery {
  /** The columns of its solutions. */
  readonly columns: readonly string[];
  /** Its variables whose values differ with each row. */
  readonly rows: readonly string[];
  /** What its solutions depend on. */
  readonly reach: Reach;
  /** Whether many rows can be asked at once. */
  readonly takesMany: boolean;
  readonly #prepared: PreparedSparql;
  readonly #algebra: Operation;
  readonly #single: SparqlTemplate;

  /**
   * @throws ParseError `SPARQL_SYNTAX`, InvalidArgumentError `INVALID_OPTION` for what such a query may not contain
   */
  constructor(
    /** Its text. */
    readonly text: string,
    { prefixes, kind, rows, constants, path, apart, joined = false }: PreboundOptions,
  ) {
    this.#prepared = prepare(text, { prefixes });
    const { kind: found, dataset, algebra: parsed } = this.#prepared;
    if (found !== kind)
      throw wrongText(
        `it is ${found === 'ask' || found === 'update' ? 'an' : 'a'} ${found.toUpperCase()}, where ${kind === 'ask' ? 'an ASK' : 'a SELECT'} is expected`,
      );
    if (dataset !== undefined) throw wrongText('FROM is not allowed in shapes');
    const algebra = parsed as Operation;
    if (joined) refuseService(algebra);
    else
      checkRestrictions(
        algebra,
        rows.filter((name) => this.names(name)),
        [...rows, ...Object.keys(constants), PATH],
      );
    if (path !== undefined && namesElsewhere(algebra, PATH)) throw wrongText('$PATH may stand only as a predicate');
    const known = Object.fromEntries(Object.entries(constants).filter(([name]) => this.names(name)));
    const walked = path === undefined ? algebra : withPath(algebra, path);
    const whole = Object.keys(known).length === 0 ? walked : bindQuery(walked, known);
    this.#algebra = joined ? { type: 'project', input: whole, variables: [] } : whole;
    this.rows = joined ? rows : rows.filter((name) => this.names(name) && mentionedVariables(whole).has(name));
    this.columns = columnsOf(whole);
    this.takesMany = joined || takesRows(whole, rows);
    this.reach = reachOf({ algebra: whole, names: rows, joined, apart });
    this.#single = requestFor(this.#prepared, whole.type === 'ask' ? firstOf(whole.input) : whole);
    this.#joined = joined;
  }

  readonly #joined: boolean;
  /** Makes requests, by the number of their rows and the names. */
  readonly #ofSize = new Map<string, Maker>();

  /** Whether its text has a variable. */
  names(name: string): boolean {
    return this.#prepared.variables.includes(name);
  }

  /** The query without values: all its solutions. */
  get all(): SparqlTemplate {
    return this.#single;
  }

  /** The query for one row: a request, and the values of its variables. */
  forRow(
    names: readonly string[],
    row: readonly RDF.Term[],
  ): { request: SparqlTemplate; bindings: Record<string, RDF.Term> } {
    const bindings = Object.fromEntries(
      names.map((name, i) => [name, row[i]!] as const).filter(([name]) => this.names(name)),
    );
    return { request: this.#single, bindings };
  }

  /**
   * The query for rows. Its solutions have these variables, too. Batches of about the same size share a plan: the query takes more rows
   * than are given, and the others have {@link NOBODY} as their values.
   */
  forRows(names: readonly string[], rows: readonly (readonly RDF.Term[])[]): SparqlTemplate {
    return this.#makerFor(names, rows.length)(rows.flat());
  }

  /** Like {@link forRows}, for rows of ids of the data that are asked. Only if {@link takesIds}. */
  forIds(names: readonly string[], rows: readonly (readonly number[])[]): SparqlTemplate {
    const ids: number[] = [];
    for (const row of rows) for (const id of row) ids.push(id);
    return this.#makerFor(names, rows.length)([], ids);
  }

  /** Whether {@link forIds} takes this number of rows: plans look at the terms of a few. */
  takesIds(rows: number): boolean {
    return this.takesMany && rows > FEW_ROWS;
  }

  #makerFor(names: readonly string[], rows: number): Maker {
    const size = 2 ** Math.ceil(Math.log2(rows));
    const key = `${String(size)} ${names.join(' ')}`;
    let make = this.#ofSize.get(key);
    if (make === undefined) this.#ofSize.set(key, (make = this.#requestsOfSize(names, size)));
    const all = size * names.length;
    return (values, ids) => make([...values, ...new Array<RDF.Term>(all - values.length).fill(NOBODY)], ids);
  }

  #requestsOfSize(names: readonly string[], size: number): Maker {
    const width = names.length;
    const places = Array.from({ length: size }, (_, row) =>
      names.map((_name, i) => iri(valuePlaceholder(row * width + i))),
    );
    const values = rowsOf(names, places);
    const kept = size <= FEW_ROWS ? { plan: undefined } : undefined;
    if (!this.#joined) return requestsFor(this.#prepared, seeded(this.#algebra, values), kept);
    const { input } = this.#algebra as Operation & { type: 'project' };
    const joined: Operation = { type: 'join', input: [values, input] };
    return requestsFor(this.#prepared, { type: 'project', input: joined, variables: values.variables }, kept);
  }
}

/** Plans of more rows do not depend on the values. For fewer, looking at the counts of these takes longer than a plan that is made for other ones. */
const FEW_ROWS = 64;
/** The value of rows that nobody has asked for. No data have it. */
const NOBODY = iri('urn:quadrille:nobody');

/** The first solution, without any variable: whether there is one. */
const firstOf = (input: Operation): Operation => ({
  type: 'slice',
  start: 0,
  length: 1,
  input: { type: 'project', input, variables: [] },
});

const wrongText = (what: string): InvalidArgumentError =>
  new InvalidArgumentError('INVALID_OPTION', what, { details: { reason: 'forbidden' } });

/** The query with a path in the place of the predicate `$PATH`. */
function withPath(algebra: Operation, path: PropertyPath): Operation {
  const isPath = ({ predicate }: Pattern): boolean => predicate.termType === 'Variable' && predicate.value === PATH;
  const walked = <T extends Operation>(node: T): Operation => {
    if (node.type !== 'bgp')
      return mapChildren(node, (child) => (isNode(child) ? walked(child as Operation) : child)) as Operation;
    const paths = node.patterns.filter(isPath);
    if (paths.length === 0) return node;
    if (path.type === 'link')
      return { ...node, patterns: node.patterns.map((one) => (isPath(one) ? along(one, path.iri) : one)) };
    const rest = node.patterns.filter((one) => !isPath(one));
    const made = paths.map(({ subject, object, graph }): Operation => ({
      type: 'path',
      subject,
      predicate: path,
      object,
      graph,
    }));
    return { type: 'join', input: [...(rest.length === 0 ? [] : [{ type: 'bgp', patterns: rest } as const]), ...made] };
  };
  return walked(algebra);
}

const along = (pattern: Pattern, predicate: RDF.NamedNode): Pattern =>
  makePattern(pattern.subject, predicate, pattern.object, pattern.graph);
