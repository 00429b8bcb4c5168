/** `/A/protocol`: the version of the RDF4J protocol, by which its clients tell what they may ask for. */
import { Reply } from '../../message/reply.js';
import type { Handlers, Service } from '../../service.js';
import { type Resource, form } from '../resource.js';

export const protocolResource: Resource = {
  path: '/:account/protocol',
  handlers: protocolRoute,
  methods: {
    GET: { access: 'public', ...form(), summary: 'Version of the RDF4J protocol', gives: ['text/plain'] },
  },
};

function protocolRoute({ protocolVersion }: Service): Handlers {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  return { GET: () => Promise.resolve(new Reply(String(protocolVersion), { headers })) };
}
