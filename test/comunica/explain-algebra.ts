/** How a request would run, as text for a person. For now: its algebra, with the number of quads that each pattern finds. */
import type * as RDF from '@rdfjs/types';
import { printTerm } from '@quadrille/model';
import type { Operation } from '../../packages/sparql/src/algebra/algebra.js';
import type { TermDataset } from './dataset.js';

interface Line {
  readonly depth: number;
  readonly text: string;
}

/** One line for each operation, children indented below their parents. */
export async function explainOperation(operation: object, dataset: TermDataset): Promise<string> {
  const lines: Line[] = [];
  await describe(operation, 0, lines, dataset);
  return lines.map(({ depth, text }) => `${'  '.repeat(depth)}${text}`).join('\n');
}

async function describe(node: unknown, depth: number, lines: Line[], dataset: TermDataset): Promise<void> {
  if (Array.isArray(node)) {
    for (const item of node) await describe(item, depth, lines, dataset);
    return;
  }
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  if ('termType' in node) {
    lines.push({ depth, text: await describePattern(node as unknown as RDF.BaseQuad, dataset) });
    return;
  }
  lines.push({ depth, text: [String(node.type), ...details(node as Operation)].join(' ') });
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'wildcard') await describe(value, depth + 1, lines, dataset);
  }
}

function details(node: object): string[] {
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'type') return [];
    if (isTerm(value)) return [printTerm(value)];
    if (Array.isArray(value))
      return value.filter((item) => isTerm(item) && !('type' in item)).map((term) => printTerm(term as RDF.Term));
    return ['string', 'number', 'boolean'].includes(typeof value) ? [`${key}=${String(value)}`] : [];
  });
}

const isTerm = (value: unknown): value is RDF.Term =>
  typeof value === 'object' && value !== null && 'termType' in value;

async function describePattern(pattern: RDF.BaseQuad, dataset: TermDataset): Promise<string> {
  const fixed = (term: RDF.Term): RDF.Term | undefined =>
    term.termType === 'Variable' || term.termType === 'Quad' ? undefined : term;
  const { subject, predicate, object, graph } = pattern;
  const search = { subject: fixed(subject), predicate: fixed(predicate), object: fixed(object), graph: fixed(graph) };
  const count = await dataset.count(search, { estimate: true });
  const place = graph.termType === 'DefaultGraph' ? '' : ` in ${printTerm(graph)}`;
  return `${[subject, predicate, object].map(printTerm).join(' ')}${place} (about ${count} quads)`;
}
