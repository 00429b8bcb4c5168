/** SHACL Core over quads. It reads data through an interface, so that a store need not be copied. */
export { DatasetData } from './data/dataset-data.js';
export type { Edges, NodeCursor, ShapesData } from './data/shapes-data.js';
export { reportQuads } from './report/report.js';
export { parseShapes } from './shapes/parse-shapes.js';
export type { ShapesGraph } from './shapes/parse-shapes.js';
export type { Triple } from './shapes/paths.js';
export { run } from './steps.js';
export type { Steps } from './steps.js';
export { Results } from './validate/results.js';
export type { ValidationResult } from './validate/results.js';
export { ShapesValidator } from './validate/validator.js';
export { validateDataset } from './validate-dataset.js';
export type { ValidationReport } from './validate-dataset.js';
