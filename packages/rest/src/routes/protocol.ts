/** `/A/protocol`: the version of the RDF4J protocol, by which its clients tell what they may ask for. */
import type { Handlers } from '../service.js';
import { Reply } from '../reply.js';

/** That of Sesame 2.7: updates, the Graph Store Protocol and transactions, no configuration of repositories. */
const VERSION = '6';

export function protocolRoute(): Handlers {
  return {
    GET: () => Promise.resolve(new Reply(VERSION, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })),
  };
}
