import { describe, expect, it } from 'vitest';
import { formats } from './formats.js';

/** What a format can have for a load to parse it past the thread that has bounds. */
const OTHER_WAYS = ['createParser', 'createFastParser', 'load', 'module'];

describe('documents that are read as a whole or hold others', () => {
  it.each(['application/rdf+xml', 'application/ld+json', 'application/rdf+json', 'application/trix'])(
    'in %s have no way past the bounded thread',
    (type) => {
      const format = formats.find(type);
      expect(format.createAsyncParser).toBeTypeOf('function');
      expect(OTHER_WAYS.filter((way) => way in format)).toEqual([]);
    },
  );
});
