// Fastify: the handler is a plugin with a scope of its own, beside routes of your own.
//   RDF_TOKEN=secret node examples/servers/fastify.mjs
import { getRequestListener } from '@hono/node-server';
import Fastify from 'fastify';
import { BASE, openHandler } from './handler.mjs';
import { announce } from './announce.mjs';

const { handler, close } = await openHandler();
const listener = getRequestListener((request) => handler(request));

const app = Fastify();
app.get('/', async () => 'my own page');
app.register(async (scope) => {
  // The handler reads bodies as streams, whatever their type and size.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all(`${BASE}/*`, (request, reply) => {
    reply.hijack();
    void listener(request.raw, reply.raw);
  });
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
announce(app.server, close);
