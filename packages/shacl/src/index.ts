/** SHACL Core and SHACL-SPARQL. It reads data through an interface, so that a store need not be copied. */
export type { Edges, NodeCursor, NodeLists, ShapesData, ShapesQuery, Solution } from './data/shapes-data.js';
export { pathText } from './report/path-text.js';
export { reportQuads } from './report/report.js';
export type { ShapesWarning } from './shapes/invalid.js';
export { shownTerm } from './shapes/invalid.js';
export { parseShapes } from './shapes/parse-shapes.js';
export type { ShapesGraph, ShapesOptions } from './shapes/parse-shapes.js';
export type { Triple } from './shapes/paths.js';
export { run } from './steps.js';
export type { Steps } from './steps.js';
export type { ExplainedConstraint } from './validate/explain.js';
export { Results } from './validate/results.js';
export type { ResultLimits, ValidationResult } from './validate/results.js';
export { ShapesValidator } from './validate/validator.js';
