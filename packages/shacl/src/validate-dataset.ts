/** Validates a dataset in memory. */
import type * as RDF from '@rdfjs/types';
import { DatasetData } from './data/dataset-data.js';
import { parseShapes } from './shapes/parse-shapes.js';
import { run } from './steps.js';
import { ShapesValidator } from './validate/validator.js';
import type { ValidationResult } from './validate/results.js';

/** What a validation has found. */
export interface ValidationReport {
  /** Whether there are no results. */
  readonly conforms: boolean;
  /** At most 1,000 results. */
  readonly results: readonly ValidationResult[];
}

/**
 * Validates quads against shapes. Graphs are ignored on both sides.
 * @throws ShapesError `SHAPES_INVALID`
 */
export async function validateDataset(
  quads: Iterable<RDF.Quad>,
  shapes: Iterable<RDF.Quad>,
): Promise<ValidationReport> {
  const validator = new ShapesValidator(await parseShapes(shapes));
  const data = new DatasetData(quads);
  await run(validator.bind(data));
  const { list } = await run(validator.all(data));
  return { conforms: list.length === 0, results: list };
}
