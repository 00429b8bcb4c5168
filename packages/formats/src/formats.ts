/** The formats that come with this package. */
import { createLineSerializer } from './lines/line-serializer.js';
import { FormatRegistry } from './registry.js';
import type { RdfFormat } from './registry.js';
import { createTurtleSerializer } from './turtle/turtle-serializer.js';

type LineParsers = typeof import('./lines/line-parser.js');
type TurtleParsers = typeof import('./turtle/turtle-parser.js');
let lines: LineParsers | undefined;
let turtle: TurtleParsers | undefined;

// The module of a parser is loaded with the first document of its format: most programs and pages read only one format. It is kept: asking
// the runtime again for a module takes as long as reading a short document.
async function loadLineParsers(): Promise<void> {
  if (lines !== undefined) return;
  [lines] = await Promise.all([import('./lines/line-parser.js'), loadScanner()]);
}

async function loadTurtleParsers(): Promise<void> {
  if (turtle !== undefined) return;
  [turtle] = await Promise.all([import('./turtle/turtle-parser.js'), loadScanner()]);
}

async function loadScanner(): Promise<void> {
  await (await import('./scanner/scanner.js')).loadScanner();
}

function loaded<T>(parsers: T | undefined): T {
  if (parsers === undefined) throw new Error('await load() of the format before createParser()');
  return parsers;
}

/** The format N-Triples. */
export const N_TRIPLES: RdfFormat = {
  name: 'N-Triples',
  mediaTypes: ['application/n-triples', 'text/plain', 'application/rdf-triples'],
  extensions: ['nt'],
  namedGraphs: false,
  load: loadLineParsers,
  createParser: (options) =>
    loaded(lines).createLineParser(Object.assign({ ...options.limits }, options, { quads: false })),
  createSerializer: (options) => createLineSerializer({ ...options, graphs: false }),
};

/** The format N-Quads. */
export const N_QUADS: RdfFormat = {
  name: 'N-Quads',
  mediaTypes: ['application/n-quads', 'text/x-nquads', 'text/nquads'],
  extensions: ['nq'],
  namedGraphs: true,
  load: loadLineParsers,
  createParser: (options) =>
    loaded(lines).createLineParser(Object.assign({ ...options.limits }, options, { quads: true })),
  createSerializer: (options) => createLineSerializer({ ...options, graphs: true }),
};

/** The format Turtle. */
export const TURTLE: RdfFormat = {
  name: 'Turtle',
  mediaTypes: ['text/turtle', 'application/turtle', 'application/x-turtle'],
  extensions: ['ttl'],
  namedGraphs: false,
  load: loadTurtleParsers,
  createParser: (options) => loaded(turtle).createTurtleParser({ ...options, trig: false }),
  createSerializer: (options) => createTurtleSerializer({ ...options, trig: false }),
};

/** The format TriG. */
export const TRIG: RdfFormat = {
  name: 'TriG',
  mediaTypes: ['application/trig', 'application/x-trig'],
  extensions: ['trig'],
  namedGraphs: true,
  load: loadTurtleParsers,
  createParser: (options) => loaded(turtle).createTurtleParser({ ...options, trig: true }),
  createSerializer: (options) => createTurtleSerializer({ ...options, trig: true }),
};

/** A registry with N-Triples, N-Quads, Turtle and TriG. */
export function createDefaultRegistry(): FormatRegistry {
  const registry = new FormatRegistry();
  for (const format of [N_TRIPLES, N_QUADS, TURTLE, TRIG]) registry.register(format);
  return registry;
}
