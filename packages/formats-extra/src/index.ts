/** RDF/XML, JSON-LD, RDF/JSON, TriX and N3 behind the interface of `@quadrille/formats`. */
export * from './formats.js';
