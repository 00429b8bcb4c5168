/** The rules of shared stores and of storages over an object store in this process. */
import { S3Driver } from '@quadrille/s3';
import { SharedStorage } from '@quadrille/storage-shared';
import { sharedConformance } from '@quadrille/storage-shared/testing';
import { storageConformance } from '@quadrille/storage/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Objects, transportOf } from './objects.js';
import { KEYS, S3Server } from './server.js';

describe('S3', () => {
  let server: S3Server;
  let stores = 0;
  beforeAll(async () => {
    server = await S3Server.start();
  });
  afterAll(() => server.stop());

  sharedConformance({ describe, it, expect }, 'S3', async () => {
    const url = server.url(`shared/${++stores}`);
    return { connect: () => new S3Driver(url, { credentials: KEYS }) };
  });

  storageConformance(
    { describe, it, expect },
    'S3 without HTTP',
    async () => {
      const transport = transportOf(new Objects());
      const driver = (): SharedStorage => new SharedStorage(new S3Driver('s3://store', { transport }));
      return { driver: driver(), again: driver };
    },
    { persistent: true },
  );
});
