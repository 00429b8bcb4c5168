/** A document of another host as quads: its format found, decompressed where it is a gzip file, parsed chunk by chunk. */
import type * as RDF from '@rdfjs/types';
import type { FetchResponse } from '@quadrille/fetch';
import { isReadable, isUnspecific, openParser, QuadCollector } from '@quadrille/formats';
import type { DocumentLoader, RdfFormat } from '@quadrille/formats';
import { DecompressionGuard, EvaluationError } from '@quadrille/model';
import { addExtraFormats, formats } from '../documents/formats.js';
import { gunzip, withBeginning } from '../load/gunzip.js';
import { freshPrefix } from './relabel.js';

/** Limits of the decompressed content. The fetcher limits the bytes on the wire. */
const MAX_UNZIPPED_BYTES = 2 * 1024 ** 3;
const MAX_UNZIP_RATIO = 200;
const SLICE_BYTES = 64 * 1024;

/** The Accept header: every readable format, and anything else with the lowest preference. */
export async function acceptedFormats(): Promise<string> {
  await addExtraFormats();
  const readable = formats.list().filter(isReadable);
  return [...readable.map((format) => format.mediaTypes[0]), '*/*;q=0.1'].join(', ');
}

/** The quads of a document in batches. Its blank nodes have labels that nothing else has. */
export async function* parseDocument(
  response: FetchResponse,
  asked: string,
  loadDocument: DocumentLoader | undefined,
): AsyncGenerator<readonly RDF.Quad[]> {
  const format = formatOf(response, asked);
  const sink = new QuadCollector({ blankNodePrefix: freshPrefix() });
  // Stops the parser when the reader leaves early.
  const over = new AbortController();
  const options = { sink, source: response.url, baseIRI: response.url, signal: over.signal, loadDocument };
  try {
    const parser = await openParser(format, options);
    for await (const chunk of unzipped(response, asked)) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        await parser.push(chunk.subarray(at, at + SLICE_BYTES));
        if (sink.size > 0) yield sink.take();
      }
    }
    await parser.end();
    if (sink.size > 0) yield sink.take();
  } finally {
    over.abort();
  }
}

function formatOf({ headers, url }: FetchResponse, asked: string): RdfFormat {
  const mediaType = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const byType = (): RdfFormat | undefined => found(() => formats.byMediaType(mediaType));
  const byName = (): RdfFormat | undefined =>
    [url, asked].map((name) => found(() => formats.byExtension(new URL(name).pathname).format)).find(Boolean);
  const format = isUnspecific(mediaType) ? (byName() ?? byType()) : (byType() ?? byName());
  if (format !== undefined && isReadable(format)) return format;
  const what = mediaType === '' ? 'no media type' : `the media type ${mediaType.slice(0, 100)}`;
  throw new EvaluationError('SERVICE_FAILED', `LOAD <${asked}>: ${what}, in which no RDF can be read`);
}

function found(find: () => RdfFormat): RdfFormat | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

// A .gz file is no content encoding: the fetcher has neither unpacked it nor looked at what it becomes.
async function* unzipped({ body }: FetchResponse, asked: string): AsyncGenerator<Uint8Array> {
  const wire = { bytes: 0 };
  const { isPacked, chunks } = await withBeginning(counted(body, wire));
  if (!isPacked) return yield* chunks;
  const guard = new DecompressionGuard({ maxBytes: MAX_UNZIPPED_BYTES, maxRatio: MAX_UNZIP_RATIO });
  for await (const chunk of gunzip(chunks)) {
    if (guard.exceeded(chunk.length, wire.bytes) !== undefined) {
      throw new EvaluationError('SERVICE_FAILED', `LOAD <${asked}>: the gzip file becomes too large`);
    }
    yield chunk;
  }
}

async function* counted(chunks: AsyncIterable<Uint8Array>, wire: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    wire.bytes += chunk.length;
    yield chunk;
  }
}
