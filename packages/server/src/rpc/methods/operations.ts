/** Operations: the jobs that REST shows at `/jobs`. A caller sees its own. */
import { isJobStatus, isWorking, jobRecord } from '../../host/index.js';
import { RPC, RpcError } from '../calls/rpc-error.js';
import { method, type Parameter } from './method.js';

const OPERATION = { name: 'uuid', type: 'string', doc: 'the UUID of an operation' } as const satisfies Parameter;

export const operationMethods = [
  method({
    names: ['ListOperations'],
    parameters: [
      {
        name: 'status',
        type: 'string',
        optional: true,
        doc: '`pending`, `running`, `completed`, `failed` or `aborted`; empty for those under way',
      },
    ],
    result: 'array',
    doc: 'The UUIDs of the operations of the caller, the newest first.',
    right: 'account',
    run({ service, caller }, [status]) {
      if (status !== '' && status !== 'unknown' && !isJobStatus(status)) {
        throw new RpcError(RPC.INVALID_PARAMS, `no operation has the status ${status.slice(0, 50)}`);
      }
      const jobs = service.jobs.list(caller, isJobStatus(status) ? { status } : {});
      return status === 'unknown' ? [] : jobs.map(({ uuid }) => uuid);
    },
  }),
  method({
    names: ['DescribeOperation', 'dydra.job.info', 'dydra.operation.info'],
    parameters: [OPERATION],
    result: 'struct',
    doc: 'Its record: `uuid`, `status`, `working`, `time`, `message`, `pct`, `operation`, `repository_id`, `created`.',
    right: 'own',
    run: ({ service, caller }, [uuid]) => ({ ...jobRecord(service.jobs.get(caller, uuid)) }),
  }),
  method({
    names: ['dydra.job.status', 'dydra.operation.status', 'dydra.process.status'],
    parameters: [OPERATION],
    result: 'string',
    doc: 'The `status` of its record.',
    right: 'own',
    run: ({ service, caller }, [uuid]) => service.jobs.get(caller, uuid).status,
  }),
  method({
    names: ['dydra.job.done', 'dydra.operation.done'],
    parameters: [OPERATION],
    result: 'boolean',
    doc: 'Whether it has ended, however it did.',
    right: 'own',
    run: ({ service, caller }, [uuid]) => !isWorking(service.jobs.get(caller, uuid)),
  }),
  method({
    names: ['AbortOperation', 'dydra.job.abort', 'dydra.operation.abort', 'dydra.process.abort'],
    parameters: [OPERATION],
    result: 'boolean',
    doc: 'Stops it and waits until it has stopped; one that has ended stays as it is. Gives true.',
    right: 'own',
    async run({ service, caller }, [uuid]) {
      await service.jobs.abort(caller, uuid);
      return true;
    },
  }),
];
