/** Traqula, a parser of SPARQL 1.2, with the translation that makes our algebra of its tree. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, iri } from '@quadrille/model';
import type { Operation, Pattern, UpdateOperation } from '../../../packages/sparql/src/algebra/algebra.js';
import type {
  DatasetClause,
  ParsedQuery,
  ParsedSparql,
  QueryKind,
} from '../../../packages/sparql/src/algebra/request.js';
import { namedGraphs } from './named-graphs.js';
import { makePattern, makeVariable, mapTripleTerm, termFactory } from '../../../packages/sparql/src/algebra/terms.js';
import { checkScopes } from './check-scopes.js';
import { finishNames } from './local-names.js';
import { prefixedName } from './prefixed-name.js';
import { hasGivenName, selectClause } from './select-clause.js';
import {
  completeParseContext,
  createAlgebraContext,
  IndirBuilder,
  lex,
  ParserBuilder,
  sparql12ParserBuilder,
  toAlgebra12Builder,
  type SparqlQuery,
} from './traqula.js';

export interface OracleOptions {
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  readonly baseIRI?: string | undefined;
}

/** What this grammar says of a request that both accept; without the names of its variables, which it does not tell. */
export type OracleRequest =
  | Omit<ParsedQuery, 'variables'>
  | Omit<Extract<ParsedSparql, { kind: 'update' }>, 'variables'>;

const EVERY_NAMED_GRAPH = iri('urn:quadrille:named');
const KINDS: Readonly<Record<string, QueryKind>> = { construct: 'construct', describe: 'describe', ask: 'ask' };

// GRAPH stays a node: pushed into its patterns it would vanish where the group has none (`GRAPH ?g {}`).
const translation = IndirBuilder.create(toAlgebra12Builder).patchRule({
  name: 'recurseGraph' as const,
  fun: () => (context, operation, graph) =>
    context.algebraFactory.createGraph(operation, graph as RDF.NamedNode) as unknown as typeof operation,
});

const parserOptions = {
  tokenVocabulary: lex.sparql12LexerBuilder.tokenVocabulary,
  lexerConfig: { positionTracking: 'onlyOffset' as const },
  errorHandler: (errors: readonly { message: string }[]): void => {
    const first = errors[0];
    if (first !== undefined) throw new Error(first.message);
  },
};
// Building a parser takes tens of milliseconds: it is built once, when it is first needed.
const buildParser = () =>
  ParserBuilder.create(sparql12ParserBuilder).patchRule(selectClause).patchRule(prefixedName).build(parserOptions);
let sharedParser: ReturnType<typeof buildParser> | undefined;
/** @throws Error where it refuses the text */
export function parseByTraqula(text: string, options: OracleOptions = {}): OracleRequest {
  return translate(text, options);
}

type Ast = SparqlQuery;

function translate(text: string, { prefixes = {}, baseIRI }: OracleOptions): OracleRequest {
  sharedParser ??= buildParser();
  const context = { prefixes: { ...prefixes }, ...(baseIRI === undefined ? {} : { baseIRI }) };
  const ast = sharedParser.queryOrUpdate(text, completeParseContext(context));
  const used = finishNames(ast);
  refuseNamelessOverNothing(ast);
  const translationContext = createAlgebraContext({ ...context, dataFactory: termFactory });
  const algebra = translation.build().translateQuery(translationContext, ast, true, true) as unknown as
    | Operation
    | UpdateOperation
    | { readonly type: 'compositeupdate'; readonly updates: readonly UpdateOperation[] };
  const meaning = {
    baseIRI: lastBase(ast) ?? baseIRI,
    prefixes: Object.fromEntries([...used].map((prefix) => [prefix, translationContext.currentPrefixes[prefix] ?? ''])),
  };
  if (ast.type !== 'update') return toQuery(algebra as Operation, ast, text, meaning);
  const operations = updatesOf(algebra, ast);
  const dataset = datasetOf(operations);
  return { kind: 'update', operations, dataset, graphs: namedGraphs(dataset, operations), ...meaning };
}

/** The W3C suite wants `SELECT COUNT(*) {}` refused. Over a pattern, a column without AS gets a name. */
function refuseNamelessOverNothing(ast: Ast): void {
  if (ast.type !== 'query' || ast.subType !== 'select' || ast.where.patterns.length > 0) return;
  if (ast.variables.some(hasGivenName)) {
    throw new Error('an expression in SELECT needs a name: (… AS ?name)');
  }
}

function toQuery(
  algebra: Operation,
  ast: Ast,
  text: string,
  meaning: Pick<ParsedQuery, 'baseIRI' | 'prefixes'>,
): OracleRequest {
  const dataset = algebra.type === 'from' ? { default: algebra.default, named: algebra.named } : undefined;
  const inner = algebra.type === 'from' ? algebra.input : algebra;
  checkScopes(inner);
  const kind = 'subType' in ast ? (KINDS[String(ast.subType)] ?? 'select') : 'select';
  return { kind, algebra: finish(inner, ast, text), dataset, graphs: namedGraphs(dataset, inner), ...meaning };
}

function finish(algebra: Operation, ast: Ast, text: string): Operation {
  switch (algebra.type) {
    case 'construct':
      return { ...algebra, template: algebra.template.map(blankNodesToVariables) };
    case 'slice':
    case 'distinct':
    case 'reduced':
      return { ...algebra, input: finish(algebra.input, ast, text) };
    case 'project':
      return {
        ...algebra,
        variables: isSelectAll(ast) ? inTextOrder(algebra.variables, text) : unique(algebra.variables),
      };
    default:
      return algebra;
  }
}

function isSelectAll(ast: Ast): boolean {
  const variables: unknown = 'variables' in ast ? ast.variables : undefined;
  return Array.isArray(variables) && (variables as { type?: string }[]).some(({ type }) => type === 'wildcard');
}

/** The specification gives `SELECT *` no order of columns: they come in the order of the text. */
function inTextOrder(variables: readonly RDF.Variable[], text: string): RDF.Variable[] {
  // A name ends at the first character that it cannot contain.
  const ranks = new Map<string, number>();
  for (const [, name = ''] of text.matchAll(/[?$]([\p{L}\p{N}\p{M}\p{Pc}\u00B7]+)/gu)) {
    if (!ranks.has(name)) ranks.set(name, ranks.size);
  }
  const rank = ({ value }: RDF.Variable): number => ranks.get(value) ?? ranks.size;
  return [...variables].sort((left, right) => rank(left) - rank(right));
}

const unique = (variables: readonly RDF.Variable[]): RDF.Variable[] => [
  ...new Map(variables.map((variable) => [variable.value, variable])).values(),
];

function updatesOf(
  algebra: { readonly type: string; readonly updates?: readonly UpdateOperation[] },
  ast: Ast & { readonly type: 'update' },
): UpdateOperation[] {
  const translated = algebra.type === 'compositeupdate' ? (algebra.updates ?? []) : [algebra as UpdateOperation];
  const all = translated.map((operation, i) =>
    isWith(ast.updates[i]?.operation) ? withItsGraph(operation) : operation,
  );
  for (const operation of all) {
    if (operation.type === 'deleteinsert' && operation.where !== undefined) checkScopes(operation.where);
  }
  return all
    .filter((operation) => (operation.type as string) !== 'nop')
    .map((operation) => (operation.type === 'deleteinsert' ? finishDeleteInsert(operation) : operation));
}

/** The graphs of USING and WITH, of all operations together. */
function datasetOf(operations: readonly UpdateOperation[]): DatasetClause | undefined {
  const clauses = operations.flatMap((operation) =>
    operation.type === 'deleteinsert' && operation.where?.type === 'from' ? [operation.where] : [],
  );
  if (clauses.length === 0) return undefined;
  return {
    default: clauses.flatMap((clause) => clause.default),
    named: clauses.flatMap((clause) => clause.named.filter((graph) => graph !== EVERY_NAMED_GRAPH)),
  };
}

/** Whether an operation has WITH, and no USING, which would take its place. */
function isWith(operation: unknown): boolean {
  const { graph, from } = (operation ?? {}) as { graph?: unknown; from?: { readonly clauses?: readonly unknown[] } };
  return graph !== undefined && from?.clauses?.length === 0;
}

/** WITH names the default graph of the pattern (Update, 3.1.3). A GRAPH around the pattern would differ where the graph is empty. */
function withItsGraph(operation: UpdateOperation): UpdateOperation {
  if (operation.type !== 'deleteinsert' || operation.where?.type !== 'graph') return operation;
  const { name, input } = operation.where;
  const where: Operation = { type: 'from', input, default: [name as RDF.NamedNode], named: [EVERY_NAMED_GRAPH] };
  return { ...operation, where };
}

function finishDeleteInsert(operation: UpdateOperation & { readonly type: 'deleteinsert' }): UpdateOperation {
  const { insert, where } = operation;
  return {
    ...operation,
    ...(insert === undefined ? {} : { insert: insert.map(blankNodesToVariables) }),
    ...(where?.type === 'bgp' ? { where: graphsAsNodes(where.patterns) } : {}),
  };
}

/** In DELETE WHERE the patterns carry their graphs; everywhere else GRAPH is a node around patterns without one. */
function graphsAsNodes(patterns: readonly Pattern[]): Operation {
  const byGraph = new Map<string, Pattern[]>();
  for (const pattern of patterns) {
    const key = `${pattern.graph.termType} ${pattern.graph.value}`;
    byGraph.set(key, [...(byGraph.get(key) ?? []), pattern]);
  }
  const groups = [...byGraph.values()].map(inGraphNode);
  return groups.length === 1 && groups[0] !== undefined ? groups[0] : { type: 'join', input: groups };
}

function inGraphNode(patterns: readonly Pattern[]): Operation {
  const name = patterns[0]?.graph;
  if (name?.termType !== 'NamedNode' && name?.termType !== 'Variable') return { type: 'bgp', patterns };
  const plain = patterns.map(({ subject, predicate, object }) =>
    makePattern(subject, predicate, object, defaultGraph()),
  );
  return { type: 'graph', name, input: { type: 'bgp', patterns: plain } };
}

/** A blank node of a template is a new one for each solution; as a variable it cannot be mistaken for a bound term. */
function blankNodesToVariables(pattern: Pattern): Pattern {
  const convert = (term: RDF.Term): RDF.Term => {
    if (term.termType === 'BlankNode') return makeVariable(`_:${term.value}`);
    return term.termType === 'Quad' ? mapTripleTerm(term, convert) : term;
  };
  return makePattern(convert(pattern.subject), convert(pattern.predicate), convert(pattern.object), pattern.graph);
}

function lastBase(ast: Ast): string | undefined {
  const definitions: unknown[] =
    ast.type === 'update' ? ast.updates.flatMap((update) => update.context as unknown[]) : (ast.context as unknown[]);
  let base: string | undefined;
  for (const definition of definitions as { subType?: string; value?: { value?: string } }[]) {
    if (definition.subType === 'base') base = definition.value?.value;
  }
  return base;
}
