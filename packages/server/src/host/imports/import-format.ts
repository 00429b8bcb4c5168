/** The format of a document, by its media type and its name. */
import { isReadable, isUnspecific } from '@quadrille/formats';
import { InvalidArgumentError } from '@quadrille/model';
import { formats, type RdfFormat } from 'quadrille';

/** N-Triples may carry a fourth term, as existing clients send it. */
const READ_AS: Readonly<Record<string, string>> = { 'application/n-triples': 'application/n-quads' };

/**
 * The media type to load a document with, by its `Content-Type` and its names or URLs.
 * @throws InvalidArgumentError `UNSUPPORTED_FORMAT`
 */
export function importFormat(contentType: string | undefined, names: readonly (string | undefined)[] = []): string {
  const mediaType = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const byType = readable(() => formats.byMediaType(mediaType));
  const byName = names
    .filter((name) => name !== undefined)
    .map((name) => readable(() => formats.byExtension(pathOf(name)).format))
    .find((format) => format !== undefined);
  const format = isUnspecific(mediaType) ? (byName ?? byType) : (byType ?? byName);
  if (format !== undefined) return READ_AS[format] ?? format;
  const what = mediaType === '' ? 'a document without a media type' : `the media type ${mediaType.slice(0, 100)}`;
  throw new InvalidArgumentError('UNSUPPORTED_FORMAT', `${what} cannot be read as RDF here; send one of ${known()}`);
}

/** The media types that can be read, one for each format. */
export const readableTypes = (): readonly string[] =>
  formats
    .list()
    .filter(isReadable)
    .map((format) => format.mediaTypes[0]!);

/** The Accept header of an import. Formats with named graphs come first: where a host has one of them, the graphs survive. */
export function acceptedTypes(): string {
  const quality = (type: string): string => FIRST.get(type) ?? (formats.byMediaType(type).namedGraphs ? '0.8' : '0.7');
  const ranked = readableTypes().map((type) => [type, quality(type)] as const);
  const ordered = ranked.toSorted(([, one], [, other]) => Number(other) - Number(one));
  return [...ordered.map(([type, q]) => (q === '1' ? type : `${type};q=${q}`)), '*/*;q=0.1'].join(', ');
}

/** Formats that are parsed fast, and among formats of their kind are asked for first. */
const FIRST: ReadonlyMap<string, string> = new Map([
  ['application/n-quads', '1'],
  ['application/trig', '1'],
  ['application/n-triples', '0.75'],
  ['text/turtle', '0.75'],
  // A page of data often has less in it than the data beside it.
  ['text/html', '0.2'],
]);

const known = (): string => readableTypes().join(', ');

function readable(find: () => RdfFormat): string | undefined {
  try {
    const format = find();
    return isReadable(format) ? format.mediaTypes[0] : undefined;
  } catch {
    return undefined;
  }
}

const pathOf = (name: string): string => (URL.canParse(name) ? new URL(name).pathname : name);
