// Hono: the handler takes the Request that Hono has, so nothing is converted.
//   RDF_TOKEN=secret node examples/servers/hono.mjs
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { BASE, openHandler } from './handler.mjs';
import { announce } from './announce.mjs';

const { handler, close } = await openHandler();

const app = new Hono();
app.get('/', (context) => context.text('my own page'));
app.all(`${BASE}/*`, (context) => handler(context.req.raw));

const options = { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' };
const server = serve(options, () => announce(server, close));
