/** Reads a table, and writes what its mapping makes of it. */
import { openParser } from '@quadrille/formats';
import type { LoadSource } from '../api/index.js';
import { skippingFaults } from '../load/skipped-faults.js';
import { openSource } from '../load/source.js';
import { DEFAULT_NAMESPACES } from '../names/namespaces.js';
import type { MapTableOptions } from './map-table.js';
import { mappedFormat } from './mapped-format.js';
import { tableBytes } from './table-bytes.js';
import { TripleLines } from './triple-lines.js';

/** N-Triples in pieces. */
export async function* tableText(
  source: LoadSource,
  options: MapTableOptions,
): AsyncGenerator<string, void, undefined> {
  const { format, mapping, prefixes, baseIRI, sourceName } = options;
  const opened = await openSource(source);
  const name = sourceName ?? opened.name;
  const sink = new TripleLines();
  const parsed = mappedFormat({
    format,
    fileName: opened.fileName,
    mapping,
    prefixes: { ...DEFAULT_NAMESPACES, ...prefixes },
    baseIRI: baseIRI ?? opened.iri,
  });
  const onFault = options.onError === 'skip' ? skippingFaults(options).onFault : undefined;
  const parser = await openParser(parsed, { sink, source: name, signal: options.signal, onFault });
  sink.keepTerms();
  for await (const chunk of tableBytes(opened, name)) {
    await parser.push(chunk);
    opened.release?.();
    if (sink.lines > 0) yield sink.take();
  }
  await parser.end();
  if (sink.lines > 0) yield sink.take();
}
