/** DESCRIBE: the concise bounded description, that is the triples of a resource and of the blank nodes that they lead to. */
import { resolveGraph } from '../../operators/scan/graphs.js';
import type { Execution } from '../../execute/core/operator.js';
import { RowFilter } from '../../operators/scan/pattern-columns.js';
import { IdSet } from '../../execute/table/id-set.js';
import { MISS, type IdScan } from '../../dataset/id-dataset.js';
import type { PatternGraph } from '../../plan/plan.js';

/** Describes resources one after the other, each once. */
export class Description {
  readonly #described: IdSet;

  constructor(
    private readonly execution: Execution,
    private readonly graph: PatternGraph,
  ) {
    this.#described = new IdSet(execution.memory);
  }

  /** The triples of a resource, as columns of a scan: good until the next step. */
  async *triples(resource: number): AsyncGenerator<{ s: number; p: number; o: number }[]> {
    const waiting = [resource];
    for (let subject = waiting.pop(); subject !== undefined; subject = waiting.pop()) {
      if (subject === 0 || this.#described.has(subject) || !(await this.#isNode(subject))) continue;
      this.#described.add(subject);
      for await (const rows of this.#about(subject)) {
        for (const { o } of rows) if (await this.#isBlank(o)) waiting.push(o);
        yield rows;
      }
    }
  }

  async *#about(subject: number): AsyncGenerator<{ s: number; p: number; o: number }[]> {
    const graph = resolveGraph(this.graph, this.execution);
    if (!graph.visible) return;
    const pattern = { s: subject, p: 0, o: 0, g: graph.id };
    const filter = new RowFilter({ graph, ...pattern, possible: true, variables: new Map() });
    const scan = this.execution.dataset.scan(pattern);
    try {
      for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
        await this.execution.control.checkpoint();
        if (rows === MISS) await scan.fetch();
        else yield pick(scan, filter);
      }
    } finally {
      scan.close();
    }
  }

  async #isNode(id: number): Promise<boolean> {
    const { termType } = await this.execution.terms.term(id);
    return termType === 'NamedNode' || termType === 'BlankNode';
  }

  async #isBlank(id: number): Promise<boolean> {
    return (await this.execution.terms.term(id)).termType === 'BlankNode';
  }
}

function pick(scan: IdScan, filter: RowFilter): { s: number; p: number; o: number }[] {
  const rows = [];
  for (let row = scan.start; row < scan.end; row++) {
    if (filter.passes(scan, row)) rows.push({ s: scan.s[row]!, p: scan.p[row]!, o: scan.o[row]! });
  }
  return rows;
}
