// What Next.js does with the route, for the test: it hands over a Request, and sends the Response.
import { serve } from '@hono/node-server';
import { announce } from '../announce.mjs';
import { GET, POST } from './app/rdf/[...path]/route.js';

const page = () => new Response('my own page');
const answer = (request) => (request.method === 'POST' ? POST(request) : GET(request));
const fetch = (request) => (request.url.endsWith('/') ? page() : answer(request));
const close = async () => (await globalThis.rdf).close();
const options = { fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' };
const server = serve(options, () => announce(server, close));
