/** `/A/R/branches`: lists, creates, renames and deletes branches. */
import { refuseParameter } from '../../http/index.js';
import { InvalidRecordError } from '@quadrille/model';
import { foundBranch, type ServedBranch } from '../../host/index.js';
import type { Context } from '../../context.js';
import { revisionRecord } from '../../documents/revision-records.js';
import { commitConditions, entityTag, ifConditionsHold, notModified } from '../../message/conditional.js';
import { jsonListReply, jsonReply } from '../../message/json-reply.js';
import { Reply } from '../../message/reply.js';
import { branchQuery } from '../../parameters/branch.js';
import { flagOf } from '../../parameters/flag.js';
import { namedRevision } from '../../parameters/named-revision.js';
import { sentObject, textOf } from '../../parameters/sent-object.js';
import {
  type Handlers,
  openRoot,
  repositoryName,
  repositoryUrl,
  requireUnprotected,
  type Service,
} from '../../service.js';
import { type Resource, form, raw, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const branchesResource: Resource = {
  path: `${R}/branches`,
  features: ['branches'],
  handlers: branchesRoute,
  methods: {
    GET: { access: 'read', ...form(), summary: 'List the branches', shape: { list: 'Branch' }, gives: [JSON_TYPE] },
  },
};

export const branchResource: Resource = {
  path: `${R}/branches/:name{.+}`,
  isTagged: true,
  handlers: branchRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(),
      summary: 'A branch: its newest revision, and where it begins',
      shape: 'Branch',
      gives: [JSON_TYPE],
    },
    PUT: {
      access: 'write',
      ...raw('from', 'revision-id'),
      summary: 'Create a branch',
      shape: 'Branch',
      takes: ['text/plain'],
      bodyless: true,
      gives: [JSON_TYPE],
      status: 201,
    },
    PATCH: {
      access: 'write',
      ...raw(),
      summary: 'Give a branch another name',
      sends: 'BranchName',
      shape: 'Branch',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
    DELETE: { access: 'write', ...form('force'), summary: 'Delete a branch' },
  },
};

/** Branches change with every commit to them. */
const FRESH = { 'Cache-Control': 'no-cache' };

function branchesRoute(service: Service): Handlers {
  const { branches } = service.hosted;
  return {
    GET: async (context) =>
      jsonListReply((await branches.list(context.caller, repositoryName(context))).map(branchRecord), FRESH),
  };
}

function branchRoute(service: Service): Handlers {
  const { branches } = service.hosted;
  const whenHolds = <T>(context: Context, change: () => Promise<T>): Promise<T> =>
    ifConditionsHold(service, context, 'branches', () => headOf(service, context), change);
  return {
    async GET(context) {
      const branch = await branches.get(context.caller, repositoryName(context), branchOf(context));
      return notModified(context, branch.head) ?? described(branch);
    },
    /** Without `from` it begins with the head of `branch`, or of the default branch. */
    async PUT(context) {
      const name = branchOf(context);
      const from = await namedRevision(context, 'from');
      await requireUnprotected(service, context, await openRoot(service, context), name);
      const options = { from, on: context.branch };
      const created = await whenHolds(context, () =>
        branches.create(context.caller, repositoryName(context), name, options),
      );
      const location = `${repositoryUrl(service, context)}/branches/${encodeURIComponent(name)}`;
      return described(created, { Location: location }, 201);
    },
    async PATCH(context) {
      const name = branchOf(context);
      refuseOther(context, name);
      const to = textOf(await sentObject(context), 'name');
      if (to === undefined) throw new InvalidRecordError({ name: ['is missing: the new name of the branch'] });
      const root = await openRoot(service, context);
      for (const each of [name, to]) await requireUnprotected(service, context, root, each);
      return described(
        await whenHolds(context, () => branches.rename(context.caller, repositoryName(context), name, to)),
      );
    },
    async DELETE(context) {
      const name = branchOf(context);
      refuseOther(context, name);
      const root = await openRoot(service, context);
      await requireUnprotected(service, context, root, name);
      const force = flagOf(context.parameters, 'force');
      await whenHolds(context, async () => {
        await foundBranch(root, name);
        const { ifRevision } = await commitConditions(context, await root.branches.open(name));
        await branches.remove(context.caller, repositoryName(context), name, { force, ifRevision });
      });
      return new Reply(null, { status: 204 });
    },
  };
}

/** The name in the path. */
export const branchOf = (context: Context): string => context.param('name') ?? '';

async function headOf(service: Service, context: Context): Promise<string | undefined> {
  return (await (await openRoot(service, context)).branches.get(branchOf(context)))?.head.id;
}

/** The path names the branch. */
function refuseOther(context: Context, name: string): void {
  if (context.branch === undefined || context.branch === name) return;
  throw refuseParameter('branch')(
    `the path names the branch ${name.slice(0, 100)}, and ${branchQuery(context, '?')} another one`,
  );
}

const described = (branch: ServedBranch, headers: Readonly<Record<string, string>> = {}, status = 200): Reply =>
  jsonReply(branchRecord(branch), { ...FRESH, ETag: entityTag(branch.head), ...headers }, status);

export const branchRecord = ({ name, head, fork, isDefault, isProtected }: ServedBranch): object => ({
  name,
  head: revisionRecord(head),
  ...(fork !== undefined && { fork: revisionRecord(fork) }),
  default: isDefault,
  protected: isProtected,
});
