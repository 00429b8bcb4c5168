// Next.js: a catch-all route of the App Router. Next.js hands over a Request and takes a Response.
import { openHandler } from '../../../../handler.mjs';

// The data change: do not answer from the build.
export const dynamic = 'force-dynamic';

async function answer(request) {
  // One store for all requests, and across the reloads of `next dev`.
  globalThis.rdf ??= openHandler();
  const { handler } = await globalThis.rdf;
  return handler(request);
}

export { answer as GET, answer as POST, answer as PUT, answer as PATCH, answer as DELETE, answer as OPTIONS };
