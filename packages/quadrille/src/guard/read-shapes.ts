/** Reads shapes from a graph of a repository. */
import { Pacer } from '@quadrille/core';
import type { Candidate, Snapshot } from '@quadrille/core';
import { ShapesError } from '@quadrille/model';
import { parseShapes, type ShapesOptions, ShapesValidator } from '@quadrille/shacl';
import type * as RDF from '@rdfjs/types';

/** Quads of a graph of shapes. */
const MOST_SHAPES = 200_000;

/** @throws ShapesError `SHAPES_INVALID` */
export async function readShapes(
  state: Candidate | Snapshot,
  graph: number,
  options: ShapesOptions,
): Promise<ShapesValidator> {
  // Without a number there is no such graph.
  const quads = graph === 0 ? [] : await quadsOf(state, graph);
  return new ShapesValidator(await parseShapes(quads, options));
}

async function quadsOf(state: Candidate | Snapshot, graph: number): Promise<RDF.Quad[]> {
  const { timeline } = state;
  const pacer = new Pacer(timeline.env);
  const quads: RDF.Quad[] = [];
  const scan = state.scanQuads({ s: 0, p: 0, o: 0, g: graph });
  try {
    for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
      if (rows < 0) {
        await scan.fetch();
        continue;
      }
      if (quads.length + rows > MOST_SHAPES) {
        const message = `a graph of shapes may have ${String(MOST_SHAPES)} quads, and this one has more`;
        throw new ShapesError('SHAPES_INVALID', message);
      }
      const { s, p, o, g, start, end } = scan;
      const ids = [s, p, o, g].map((column) => column.slice(start, end));
      for (let i = 0; i < end - start; i++) {
        const [subject, predicate, object] = await Promise.all(
          ids.slice(0, 3).map((column) => timeline.decoder.decode(column[i]!)),
        );
        quads.push({ subject, predicate, object } as RDF.Quad);
        if (pacer.due()) await pacer.pause();
      }
    }
  } finally {
    scan.close();
  }
  return quads;
}
