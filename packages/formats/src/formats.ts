/** The four formats that come with this package. */
import { createLineParser } from './line-parser.js';
import { createLineSerializer } from './line-serializer.js';
import { FormatRegistry } from './registry.js';
import type { RdfFormat } from './registry.js';
import { createTurtleParser } from './turtle-parser.js';
import { createTurtleSerializer } from './turtle-serializer.js';

export const N_TRIPLES: RdfFormat = {
  name: 'N-Triples',
  mediaTypes: ['application/n-triples', 'text/plain', 'application/rdf-triples'],
  extensions: ['nt'],
  namedGraphs: false,
  createParser: ({ sink, source, limits }) => createLineParser({ ...limits, sink, source, quads: false }),
  createSerializer: () => createLineSerializer({ graphs: false }),
};

export const N_QUADS: RdfFormat = {
  name: 'N-Quads',
  mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
  extensions: ['nq'],
  namedGraphs: true,
  createParser: ({ sink, source, limits }) => createLineParser({ ...limits, sink, source, quads: true }),
  createSerializer: () => createLineSerializer({ graphs: true }),
};

export const TURTLE: RdfFormat = {
  name: 'Turtle',
  mediaTypes: ['text/turtle', 'application/turtle', 'application/x-turtle'],
  extensions: ['ttl'],
  namedGraphs: false,
  createParser: (options) => createTurtleParser({ ...options, trig: false }),
  createSerializer: (options) => createTurtleSerializer({ ...options, trig: false }),
};

export const TRIG: RdfFormat = {
  name: 'TriG',
  mediaTypes: ['application/trig', 'application/x-trig'],
  extensions: ['trig'],
  namedGraphs: true,
  createParser: (options) => createTurtleParser({ ...options, trig: true }),
  createSerializer: (options) => createTurtleSerializer({ ...options, trig: true }),
};

/** A registry with N-Triples, N-Quads, Turtle and TriG. */
export function createDefaultRegistry(): FormatRegistry {
  const registry = new FormatRegistry();
  for (const format of [N_TRIPLES, N_QUADS, TURTLE, TRIG]) registry.register(format);
  return registry;
}
