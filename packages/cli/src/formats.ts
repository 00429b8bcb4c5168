/** Names of formats on the command line, and the media types behind them. */
import type { FormatRegistry } from '@quadrille/formats';
import { InvalidArgumentError } from '@quadrille/model';

/** `json` and `xml` mean the formats of the W3C, and not `application/json`. */
const SHORT_NAMES: Readonly<Record<string, string>> = { json: 'srj', xml: 'srx' };

/** The media type of a format for rows, by its name or a media type. */
export async function resultType(format: string): Promise<string> {
  // Imported when needed, because the parsers take time to load.
  const { findResultFormat, RESULT_FORMATS } = await import('@quadrille/formats');
  const name = format.toLowerCase();
  const mediaType = findResultFormat(SHORT_NAMES[name] ?? name)?.mediaTypes[0];
  if (mediaType !== undefined) return mediaType;
  const known = RESULT_FORMATS.flatMap(({ mediaTypes }) => mediaTypes).join(', ');
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `--format ${format} is not known for rows; there is json, xml, csv, tsv, table, ${known}`,
  );
}

let registered: Promise<FormatRegistry> | undefined;

/** The formats of the library, and RDF/XML, JSON-LD, RDF/JSON, TriX and N3. */
export function allFormats(): Promise<FormatRegistry> {
  registered ??= (async () => {
    const { formats } = await import('quadrille');
    const { registerExtraFormats } = await import('@quadrille/formats-extra');
    registerExtraFormats(formats);
    return formats;
  })();
  return registered;
}

/** The media type of a format for quads, by its name, its extension or a media type. */
export async function rdfType(format: string): Promise<string> {
  const formats = await allFormats();
  return formats.find(format).mediaTypes[0] ?? format;
}

/** The media type for the extension of an output file; by default N-Quads. */
export async function rdfTypeOfFile(file: string | undefined): Promise<string> {
  const formats = await allFormats();
  const name = file?.toLowerCase().replace(/\.gz$/, '') ?? '';
  const format = formats
    .list()
    .find(({ extensions }) => extensions.some((extension) => name.endsWith(`.${extension}`)));
  return format?.mediaTypes[0] ?? 'application/n-quads';
}
