/** Sets of nodes to which a path leads. Their size is bounded, since a path may lead to everything. */
import { EvaluationError } from '@quadrille/model';

/** Nodes of one set, which takes about 80 MB then. */
const MOST_NODES = 2_000_000;

/** Adds nodes to a set. @throws EvaluationError `QUERY_MEMORY` */
export function addNodes(found: Set<number>, nodes: Iterable<number>): void {
  for (const node of nodes) found.add(node);
  checkSize(found);
}

/** @throws EvaluationError `QUERY_MEMORY` if the set is too large */
export function checkSize(found: ReadonlySet<number>): void {
  if (found.size <= MOST_NODES) return;
  throw new EvaluationError(
    'QUERY_MEMORY',
    `A path of the shapes leads to more than ${MOST_NODES.toLocaleString('en')} nodes. Let the shapes use a shorter path.`,
  );
}
