/** RDF formats: parsers into the sink of `@quadrille/model`, serialisers, and the registry that finds them. */
export * from './collector.js';
export * from './formats.js';
export * from './gzip.js';
export { createLineParser } from './line-parser.js';
export type { LineParserOptions } from './line-parser.js';
export { createLineSerializer } from './line-serializer.js';
export * from './open-parser.js';
export * from './parse-quads.js';
export * from './parse-term.js';
export * from './parser.js';
export * from './registry.js';
export { createTurtleSerializer } from './turtle-serializer.js';
export type { TurtleSerializerOptions } from './turtle-serializer.js';
export { SinkTermFactory } from './turtle-terms.js';
export type { SinkTerm } from './turtle-terms.js';
export { Utf8Decoder } from './utf8-decoder.js';
export * from './results/index.js';
