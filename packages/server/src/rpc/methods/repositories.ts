/** Repositories. Methods that change one return the UUID of an operation. */
import { RPC, RpcError } from '../calls/rpc-error.js';
import { method, type Parameter, type Session } from './method.js';
import { baseOf, graphsOf } from './terms.js';

const REPOSITORY = {
  name: 'repository',
  type: 'string',
  doc: '`account/repository`',
} as const satisfies Parameter;

export const repositoryMethods = [
  method({
    names: ['DescribeRepository', 'dydra.repository.info'],
    parameters: [REPOSITORY],
    result: 'struct',
    doc: 'Its record: `repository_id`, `name`, `summary`, `description`, `homepage`, `triple_count`, `byte_size`, `privacy`, `created`, `updated`, `revision`.',
    right: 'read',
    async run({ service, caller }, [repository]) {
      return { ...(await service.repositories.record(caller, repository)) };
    },
  }),
  method({
    names: ['CreateRepository', 'dydra.repository.create'],
    parameters: [REPOSITORY],
    result: 'string',
    doc: 'Makes a repository; the part after the slash is its name, from which its identifier follows. Gives the UUID of the operation, which has completed.',
    right: 'own',
    run: createRepository,
  }),
  method({
    names: ['DestroyRepository', 'dydra.repository.destroy'],
    parameters: [REPOSITORY],
    result: 'string',
    doc: 'Deletes a repository; imports into it are aborted first. Gives the UUID of the operation, which has completed.',
    right: 'own',
    async run({ service, caller }, [repository]) {
      return (await service.repositories.remove(caller, repository)).uuid;
    },
  }),
  method({
    names: ['ClearRepository', 'dydra.repository.clear'],
    parameters: [REPOSITORY],
    result: 'string',
    doc: 'Removes all statements, in one revision. Gives the UUID of the operation, which has completed.',
    right: 'write',
    async run({ service, caller }, [repository]) {
      return (await service.repositories.clear(caller, repository)).job.uuid;
    },
  }),
  method({
    names: ['Import', 'dydra.repository.import'],
    parameters: [
      REPOSITORY,
      { name: 'url', type: 'string', doc: 'the http or https address of an RDF document' },
      {
        name: 'context',
        type: 'string',
        optional: true,
        doc: 'the graph that all of it goes to, or `default`; empty for the graphs that it names itself',
      },
      {
        name: 'base_uri',
        type: 'string',
        optional: true,
        doc: 'what its relative IRIs are relative to; empty for its own address',
      },
    ],
    result: 'string',
    doc: 'Begins to read a document into a repository. Gives the UUID of the operation, which is under way: ask `DescribeOperation` until its `working` is false.',
    right: 'write',
    async run({ service, caller }, [repository, url, context, base]) {
      const request = { source: { url: url.trim() }, graphs: graphsOf(context), baseIRI: baseOf(base) };
      return (await service.imports.start(caller, repository, request, { durable: true })).uuid;
    },
  }),
  method({
    names: ['CountStatements', 'dydra.repository.count'],
    parameters: [REPOSITORY],
    result: 'int',
    doc: 'How many statements it has, in all graphs.',
    right: 'read',
    async run({ service, caller }, [repository]) {
      return (await (await service.repositories.openToRead(caller, repository)).revision()).size;
    },
  }),
  method({
    names: ['dydra.repository.upload.params'],
    parameters: [REPOSITORY],
    result: 'struct',
    doc: 'Where a form with a `file` can be posted: the `url` of the statements of the repository, with the credentials of the caller. The other fields of old are empty and need not be sent.',
    right: 'write',
    async run({ service, caller, base }, [repository]) {
      await service.repositories.open(caller, repository, 'write');
      const url = `${base}/${repository}/statements`;
      return { url, key: '', AWSAccessKeyId: '', acl: '', policy: '', signature: '' };
    },
  }),
];

async function createRepository({ service, caller }: Session, [repository]: readonly [string]): Promise<string> {
  const slash = repository.indexOf('/');
  if (slash < 1) throw new RpcError(RPC.INVALID_PARAMS, 'repository is account/repository');
  const account = repository.slice(0, slash);
  const name = repository.slice(slash + 1).trim();
  const { job } = await service.repositories.create(caller, account, { name: name === '' ? null : name });
  return job.uuid;
}
