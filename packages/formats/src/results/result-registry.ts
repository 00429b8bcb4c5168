/** The formats of SPARQL results by media type and by name. The first is the default. */
import { InvalidArgumentError } from '@quadrille/model';
import { BooleanResultSerializer } from './boolean.js';
import { JsonResultSerializer } from './json.js';
import { SimpleJsonResultSerializer } from './simple-json.js';
import { createCsvResultSerializer, createTsvResultSerializer } from './separated.js';
import type { ResultFormat, ResultSerializer } from './serializer.js';
import { XmlResultSerializer } from './xml.js';

/** The formats of results of SELECT and ASK. */
export const RESULT_FORMATS: readonly ResultFormat[] = [
  format('application/sparql-results+json', ['srj'], () => new JsonResultSerializer()),
  format('application/sparql-results+xml', ['srx'], () => new XmlResultSerializer()),
  format('text/csv', ['csv'], createCsvResultSerializer),
  format('text/tab-separated-values', ['tsv'], createTsvResultSerializer),
  format('application/json', ['json'], () => new SimpleJsonResultSerializer()),
  { ...format('text/boolean', ['boolean'], () => new BooleanResultSerializer()), bindings: false },
];

/** By their media types as they are mostly written. */
const BY_TYPE = new Map(RESULT_FORMATS.flatMap((each) => each.mediaTypes.map((type) => [type, each] as const)));

function format(mediaType: string, names: readonly string[], create: () => ResultSerializer): ResultFormat {
  return { contentType: `${mediaType}; charset=utf-8`, mediaTypes: [mediaType], names, bindings: true, create };
}

/** The format of a media type (its parameters are ignored) or a name such as `srj` or `csv`. */
export function findResultFormat(mediaTypeOrName: string): ResultFormat | undefined {
  const exact = BY_TYPE.get(mediaTypeOrName);
  if (exact !== undefined) return exact;
  const wanted = (mediaTypeOrName.split(';')[0] ?? '').trim().toLowerCase();
  return RESULT_FORMATS.find(({ mediaTypes, names }) => mediaTypes.includes(wanted) || names.includes(wanted));
}

/**
 * A serializer for one answer.
 * @throws InvalidArgumentError `INVALID_OPTION` where nothing here has that media type or name
 */
export function createResultSerializer(mediaTypeOrName: string): ResultSerializer {
  const found = findResultFormat(mediaTypeOrName);
  if (found !== undefined) return found.create();
  const known = RESULT_FORMATS.flatMap(({ mediaTypes }) => mediaTypes).join(', ');
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `no format of results called ${mediaTypeOrName}; there are ${known}`,
  );
}
