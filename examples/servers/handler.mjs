// What all servers here mount: the HTTP interface of a store, as one function from Request to Response.
import { createHandler } from 'quadrille/server';
import { AccessError, open } from 'quadrille';

/** The path below which each of these servers answers. */
export const BASE = '/rdf';

/** Everybody reads; writing needs the token. Your own sessions and rights go here. */
async function authorize({ request }, access) {
  if (access === 'read' || access === 'public') return;
  const token = process.env.RDF_TOKEN;
  if (token !== undefined && request.headers.get('authorization') === `Bearer ${token}`) return;
  throw new AccessError('UNAUTHENTICATED', 'writing needs the token in RDF_TOKEN');
}

/** `close` ends the store: call it after the server has ended. */
export async function openHandler(directory = process.env.STORE ?? './data') {
  const database = await open(directory);
  await database.repository('acme/people', { create: true });
  const handler = createHandler({ database, authorize, basePath: BASE });
  return { handler, close: () => database.close() };
}
