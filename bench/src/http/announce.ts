/** Starts a server on a free port of this machine and prints its address. SIGTERM ends it. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function announce(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  console.log(JSON.stringify({ url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` }));
  process.once('SIGTERM', () => process.exit(0));
}
