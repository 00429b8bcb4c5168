/** `/system`: what the server is, what it can do, and which limits it sets, and its query threads. */
import { absentFeatures } from '#server-platform';
import { isKnown } from '../../host/index.js';
import { VERSION } from '../../documents/version.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Handlers, Service } from '../../service.js';

/** For clients that adapt to what there is. Names are added, never changed. */
const FEATURES = [
  'sparql',
  'graph-store',
  'history',
  'memento',
  'views',
  'transactions',
  'jobs',
  'queries',
  'backup',
  'accounts',
  'blame',
  'changes',
  'live',
  'session',
  'all-repositories',
  'parse',
  'terms',
  'schema',
  'diff-summary',
  'diff-pages',
  'revision-buckets',
  'revert-preview',
  'compare',
  'own-queries',
  'own-jobs',
  'maintenance',
  'job-progress',
  'skip-errors',
  'fragments',
  'account-namespaces',
  'resumable-uploads',
  'digest',
  'replication',
  'ldes',
  'branches',
  'trim',
  'erase',
  'idempotency-keys',
] as const;

/** Public, but for limits and threads: they are for those who have an account. */
export function systemRoute({ hosted }: Service): Handlers {
  return {
    async GET({ caller }) {
      return jsonReply(
        {
          version: VERSION,
          features: [
            ...FEATURES.filter((feature) => !absentFeatures.has(feature)),
            ...(hosted.servers === undefined ? [] : ['servers']),
          ],
          ...(isKnown(caller)
            ? {
                limits: { ...hosted.limits, queries: await hosted.gate.allLimits() },
                workers: hosted.database.metrics().workers,
              }
            : {}),
          open: hosted.open,
        },
        { 'Cache-Control': 'no-store' },
      );
    },
  };
}
