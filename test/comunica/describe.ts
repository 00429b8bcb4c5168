/** DESCRIBE: the concise bounded description, that is the triples of a resource and of the blank nodes that they lead to. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, termToText } from '@quadrille/model';
import type { EvaluationControl } from '../../packages/sparql/src/control/control.js';
import type { DatasetView } from './dataset.js';

/** The triples in the default graph of the view that describe these resources; each resource once. */
export async function* describeResources(
  resources: AsyncIterable<RDF.Term>,
  view: DatasetView,
  control: EvaluationControl,
): AsyncGenerator<RDF.Quad> {
  const described = new Set<string>();
  for await (const resource of resources) {
    const waiting = [resource];
    for (let subject = waiting.pop(); subject !== undefined; subject = waiting.pop()) {
      const key = termToText(subject);
      if ((subject.termType !== 'NamedNode' && subject.termType !== 'BlankNode') || described.has(key)) continue;
      described.add(key);
      for await (const batch of view.match({ subject, graph: defaultGraph() })) {
        await control.checkpoint();
        for (const quad of batch) {
          if (quad.object.termType === 'BlankNode') waiting.push(quad.object);
          yield quad;
        }
      }
    }
  }
}
