/** The formats that come with this package. */
import { createLineParser } from './lines/line-parser.js';
import { createLineSerializer } from './lines/line-serializer.js';
import { FormatRegistry } from './registry.js';
import type { RdfFormat } from './registry.js';
import { loadScanner } from './scanner/scanner.js';
import { createTurtleSerializer } from './turtle/turtle-serializer.js';

type TurtleParsers = typeof import('./turtle/turtle-parser.js');
let turtle: TurtleParsers | undefined;

// Most programs read no Turtle: the modules of the parser load with the first document.
async function load(): Promise<void> {
  [turtle] = await Promise.all([import('./turtle/turtle-parser.js'), loadScanner()]);
}

function turtleParsers(): TurtleParsers {
  if (turtle === undefined) throw new Error('await load() of the format before createParser()');
  return turtle;
}

export const N_TRIPLES: RdfFormat = {
  name: 'N-Triples',
  mediaTypes: ['application/n-triples', 'text/plain', 'application/rdf-triples'],
  extensions: ['nt'],
  namedGraphs: false,
  load: loadScanner,
  createParser: ({ sink, source, limits }) => createLineParser({ ...limits, sink, source, quads: false }),
  createSerializer: (options) => createLineSerializer({ ...options, graphs: false }),
};

export const N_QUADS: RdfFormat = {
  name: 'N-Quads',
  mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
  extensions: ['nq'],
  namedGraphs: true,
  load: loadScanner,
  createParser: ({ sink, source, limits }) => createLineParser({ ...limits, sink, source, quads: true }),
  createSerializer: (options) => createLineSerializer({ ...options, graphs: true }),
};

export const TURTLE: RdfFormat = {
  name: 'Turtle',
  mediaTypes: ['text/turtle', 'application/turtle', 'application/x-turtle'],
  extensions: ['ttl'],
  namedGraphs: false,
  load,
  createParser: (options) => turtleParsers().createTurtleParser({ ...options, trig: false }),
  createSerializer: (options) => createTurtleSerializer({ ...options, trig: false }),
};

export const TRIG: RdfFormat = {
  name: 'TriG',
  mediaTypes: ['application/trig', 'application/x-trig'],
  extensions: ['trig'],
  namedGraphs: true,
  load,
  createParser: (options) => turtleParsers().createTurtleParser({ ...options, trig: true }),
  createSerializer: (options) => createTurtleSerializer({ ...options, trig: true }),
};

/** A registry with N-Triples, N-Quads, Turtle and TriG. */
export function createDefaultRegistry(): FormatRegistry {
  const registry = new FormatRegistry();
  for (const format of [N_TRIPLES, N_QUADS, TURTLE, TRIG]) registry.register(format);
  return registry;
}
