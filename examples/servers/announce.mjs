// The end of each server here: it says where it listens, and closes the store after the last request.
import { once } from 'node:events';

export async function announce(server, closeStore) {
  console.log(`http://127.0.0.1:${server.address().port}`);
  await Promise.race(['SIGINT', 'SIGTERM'].map((name) => once(process, name)));
  server.close();
  server.closeIdleConnections();
  await once(server, 'close');
  await closeStore();
  console.log('closed');
}
