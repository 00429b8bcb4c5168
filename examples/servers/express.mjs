// Express: the handler is mounted below a path, beside routes of your own.
//   RDF_TOKEN=secret node examples/servers/express.mjs
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { BASE, openHandler } from './handler.mjs';
import { announce } from './announce.mjs';

const { handler, close } = await openHandler();
const listener = getRequestListener((request) => handler(request));

const app = express();
app.get('/', (_request, response) => response.send('my own page'));
app.use((request, response, next) => (request.path.startsWith(`${BASE}/`) ? listener(request, response) : next()));
// Parsers of bodies come after it: the handler reads bodies as streams, whatever their size.
app.use(express.json());

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => announce(server, close));
