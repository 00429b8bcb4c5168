/** Branches of repositories. */
import type { ServedBranch } from '../../host/index.js';
import { method, type Parameter, type RpcResult } from './method.js';

const REPOSITORY = { name: 'repository', type: 'string', doc: '`account/repository`' } as const satisfies Parameter;
const BRANCH = { name: 'name', type: 'string', doc: 'the name of the branch' } as const satisfies Parameter;
const RECORD =
  '`name`, `head` (the UUID of its newest revision), `ordinal`, `fork` (the UUID of the revision with which it begins), `default`, `protected`';

export const branchMethods = [
  method({
    names: ['ListBranches'],
    parameters: [REPOSITORY],
    result: 'array',
    doc: `The branches by name, each a struct: ${RECORD}.`,
    right: 'read',
    run: async ({ service, caller }, [repository]) =>
      (await service.branches.list(caller, repository)).map(branchStruct),
  }),
  method({
    names: ['CreateBranch'],
    parameters: [
      REPOSITORY,
      BRANCH,
      {
        name: 'ref',
        type: 'string',
        optional: true,
        doc: 'the revision with which it begins; empty for the present one of the default branch',
      },
    ],
    result: 'struct',
    doc: 'Creates a branch. Gives its struct, as ListBranches does.',
    right: 'write',
    run: async ({ service, caller }, [repository, name, ref]) =>
      branchStruct(await service.branches.create(caller, repository, name, ref === '' ? {} : { from: ref })),
  }),
  method({
    names: ['DeleteBranch'],
    parameters: [
      REPOSITORY,
      BRANCH,
      {
        name: 'force',
        type: 'boolean',
        optional: true,
        doc: 'whether it is deleted also if no other branch has its revisions',
      },
    ],
    result: 'boolean',
    doc: 'Deletes a branch. Gives true.',
    right: 'write',
    async run({ service, caller }, [repository, name, force]) {
      await service.branches.remove(caller, repository, name, { force });
      return true;
    },
  }),
  method({
    names: ['MergeBranch'],
    parameters: [
      REPOSITORY,
      { name: 'source', type: 'string', doc: 'the branch that is merged' },
      {
        name: 'target',
        type: 'string',
        optional: true,
        doc: 'the branch that it is merged into; empty for the default branch',
      },
    ],
    result: 'string',
    doc: 'Merges a branch into another one. Gives the UUID of the revision, or of the present one if there is nothing to merge.',
    right: 'write',
    run: async ({ service, caller }, [repository, source, target]) =>
      (await service.branches.merge(caller, repository, source, target === '' ? {} : { into: target })).id,
  }),
];

const branchStruct = ({ name, head, fork, isDefault, isProtected }: ServedBranch): RpcResult => ({
  name,
  head: head.id,
  ordinal: head.number,
  fork: fork?.id ?? null,
  default: isDefault,
  protected: isProtected,
});
