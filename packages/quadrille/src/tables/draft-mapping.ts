/** A mapping to begin with, for a table that one sees for the first time. */
import type { LoadSource } from '../api/index.js';
import { checkOptions } from '../options/check-options.js';
import type { Rules } from '../options/check-options.js';
import { LOAD_OPTIONS } from '../options/calls.js';
import type { MapTableOptions } from './map-table.js';

/** Options of {@link draftMapping}. They mean what they mean for `load`. */
export type DraftMappingOptions = Pick<MapTableOptions, 'format' | 'sourceName' | 'signal'>;

const { format, sourceName, signal } = LOAD_OPTIONS;
const OPTIONS: Rules<DraftMappingOptions> = { format, sourceName, signal };

/**
 * A mapping for a table, as text to be changed: a statement for each column, with the datatype that all cells of the first 100 rows have. A column
 * named `id`, `key` or `uuid` names the subject, else the number of the row does.
 * @throws ParseError `RDF_SYNTAX` for the table
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @throws EvaluationError `ABORTED`
 * @throws NotFoundError `INPUT_NOT_FOUND`
 * @example
 * ```ts
 * import { draftMapping } from 'quadrille';
 *
 * console.log(await draftMapping({ text: 'id,name\n1,Ann\n' }, { format: 'csv' }));
 * ```
 * @since 0.1.0
 */
export async function draftMapping(source: LoadSource, options: DraftMappingOptions = {}): Promise<string> {
  checkOptions(options, OPTIONS, 'draftMapping');
  return (await import('./draft-text.js')).draftText(source, options);
}
