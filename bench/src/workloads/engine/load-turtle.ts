/**
 * Loads BSBM of a million quads as Turtle with prefixes, `;` and `,`. Compares this with n3's streaming parser alone.
 */
import type { Transform } from 'node:stream';
import { StreamParser } from 'n3';
import { countQuads } from '../../count-stream.js';
import { formatWorkload } from '../../loading-formats.js';

export const workload = formatWorkload({
  name: 'load-turtle',
  document: 'bsbm-1m.ttl',
  set: 'bsbm-1m',
  library: 'n3',
  parse: (file) => countQuads(file, new StreamParser({ format: 'text/turtle' }) as unknown as Transform),
});
