/** Names of formats on the command line, and the media types behind them. */
import { InvalidArgumentError } from '@quadrille/model';

const RESULT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/sparql-results+json',
  xml: 'application/sparql-results+xml',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
};

/** The media type of a format for rows: a name, or a media type, which the library judges. */
export function resultType(format: string): string {
  const name = format.toLowerCase();
  const mediaType = name.includes('/') ? name : RESULT_TYPES[name];
  if (mediaType !== undefined) return mediaType;
  const known = Object.keys(RESULT_TYPES).join(', ');
  throw new InvalidArgumentError('INVALID_OPTION', `--format ${format} is not known for rows; there is ${known}`);
}

/** The media type of a format for quads, by its name, its extension or a media type. */
export async function rdfType(format: string): Promise<string> {
  // Loaded when it is needed: the parsers behind the registry cost time to load.
  const { createDefaultRegistry } = await import('@quadrille/formats');
  return createDefaultRegistry().find(format).mediaTypes[0] ?? format;
}

/** The media type that the name of an output file asks for; N-Quads where it says nothing. */
export async function rdfTypeOfFile(file: string | undefined): Promise<string> {
  const { createDefaultRegistry } = await import('@quadrille/formats');
  const name = file?.toLowerCase().replace(/\.gz$/, '') ?? '';
  const format = createDefaultRegistry()
    .list()
    .find(({ extensions }) => extensions.some((extension) => name.endsWith(`.${extension}`)));
  return format?.mediaTypes[0] ?? 'application/n-quads';
}
