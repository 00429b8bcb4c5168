/** DescribeService: the one operation that asks for no credentials (specification, 4.13). */
import { method } from './method.js';

/** Of the interface, and part of its path. */
export const API_VERSION = '2012-06-01';

export const serviceMethods = [
  method({
    names: ['DescribeService'],
    parameters: [],
    result: 'struct',
    doc: 'The `version` of this interface, a word for the `status` (`nominal`, `read-only`, `unavailable`), and whether the store is `readable` and `writable`.',
    right: 'public',
    async run({ service }) {
      const { status, readable, writable } = await service.state();
      return { version: API_VERSION, status, readable, writable };
    },
  }),
];
