/** Parsed requests as texts that are equal where the requests mean the same in the same form. */
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Expression } from '../../packages/sparql/src/algebra/algebra.js';

interface AnyNode {
  readonly type?: string;
  readonly [member: string]: unknown;
}

export interface CanonicalForm {
  /** The names of the variables of the text. Others are numbered in the order of their coming. */
  readonly written: ReadonlySet<string>;
  /** Whether the order of the columns counts. */
  readonly keepsColumns: boolean;
}

export function canonical(request: object, { written, keepsColumns }: CanonicalForm): string {
  const names = new Map<string, string>();
  const nameOf = (name: string): string => {
    if (written.has(name)) return name;
    // Blank nodes of templates are not variables of the pattern.
    const kind = name.startsWith('_:') ? '_:' : '#';
    if (!names.has(name)) names.set(name, `${kind}${String(names.size)}`);
    return names.get(name)!;
  };
  const termText = (term: RDF.Term): string => {
    if (term.termType === 'Variable') return `?${nameOf(term.value)}`;
    if (term.termType === 'DefaultGraph') return 'default';
    if (term.termType !== 'Quad') return `${term.termType} ${termToText(term)}`;
    return `<< ${[term.subject, term.predicate, term.object].map(termText).join(' ')} >>`;
  };
  const plain = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(plain);
    if (typeof node !== 'object' || node === null) return node;
    if ((node as AnyNode).type === 'pattern') {
      const { subject, predicate, object, graph } = node as unknown as RDF.Quad;
      return [subject, predicate, object, graph].map(termText).join(' ');
    }
    if ('termType' in node) return termText(node as RDF.Term);
    const { type, input, bindings } = node as AnyNode;
    // The oracle writes nothing as a join of nothing, and says of `*` twice that it is a wildcard.
    if (type === 'join') {
      const parts = (input as AnyNode[]).filter((part) => !isNothing(part));
      if (parts.length === 0) return plain({ type: 'bgp', patterns: [] });
      return parts.length === 1 ? plain(parts[0]) : plainMembers({ ...node, input: parts });
    }
    if (bindings !== undefined) return { ...plainMembers({ ...node, bindings: undefined }), rows: rows(bindings) };
    if (type === 'describe') return plainMembers({ ...node, terms: sortedTerms(node as AnyNode, 'terms') });
    if (type === 'group' && countsSolutions(node as AnyNode) && isProject(input))
      return plain({ ...node, input: input.input });
    if (type === 'project' && !keepsColumns) {
      return plainMembers({ ...node, variables: sortedTerms(node as AnyNode, 'variables') });
    }
    return plainMembers(chained(node as Expression) as object);
  };
  const plainMembers = (node: object): object => {
    const members = Object.entries(node).filter(
      ([key, value]) => value !== undefined && value !== false && key !== 'wildcard',
    );
    return Object.fromEntries(members.toSorted(byKey).map(([key, value]) => [key, plain(value)]));
  };
  const rows = (bindings: unknown): unknown[] =>
    (bindings as Record<string, RDF.Term>[]).map((row) =>
      Object.entries(row)
        .map(([name, term]) => `${name}=${termText(term)}`)
        .toSorted(),
    );
  return JSON.stringify(plain(request), undefined, 1);
}

const isNothing = ({ type, patterns, input }: AnyNode): boolean =>
  (type === 'bgp' && (patterns as unknown[]).length === 0) || (type === 'join' && (input as unknown[]).length === 0);

const isProject = (node: unknown): node is AnyNode => (node as AnyNode).type === 'project';

/** COUNT(DISTINCT *) is over the variables of the text alone. The oracle also counts what stands for blank nodes. */
const countsSolutions = ({ aggregates }: AnyNode): boolean =>
  (aggregates as { distinct?: boolean; expression: Expression }[]).some(
    ({ distinct, expression }) => distinct === true && expression.subType === 'wildcard',
  );

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** The specification gives what `*` stands for no order. The oracle sorts it by name. */
const sortedTerms = (node: AnyNode, member: string): RDF.Term[] =>
  (node[member] as RDF.Term[]).toSorted((a, b) => (a.value < b.value ? -1 : 1));

/** A chain of `&&` or `||` as one operator with all its operands: long ones are balanced trees in our algebra. */
function chained(node: Expression): Expression {
  if (node.type !== 'expression' || node.subType !== 'operator') return node;
  // The oracle keeps a line end between the words of NOT IN.
  const operator = node.operator.replace(/\s/g, '');
  if (operator !== node.operator) return { ...node, operator };
  if (operator !== '&&' && operator !== '||') return node;
  const operands: Expression[] = [];
  const open: Expression[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.subType === 'operator' && next.operator === operator) open.push(...next.args.toReversed());
    else operands.push(next);
  }
  return { ...node, args: operands };
}
