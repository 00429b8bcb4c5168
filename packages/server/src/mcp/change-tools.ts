/** Tools that change the data of a repository. They are off unless the user has asked for them. */
import type { ChangePreview, Repository, Revision } from 'quadrille';
import { BRANCH, REPOSITORY, sourceOf } from './data-tools.js';
import type { Source } from './door.js';
import type { Schema } from './input.js';
import { note } from './memory/write.js';
import { originOf } from './origin.js';
import { refuseSecrets } from './secrets.js';
import type { Call, Tool } from './tool.js';
import type { ToolResult } from './tool-result.js';

const MESSAGE: Schema = { type: 'string', maxLength: 4096, description: 'Why the change is made' };
const DRY_RUN: Schema = { type: 'boolean', description: 'Only tell what would change' };

interface Input {
  readonly repository?: string;
  readonly branch?: string;
  readonly message?: string;
  readonly dry_run?: boolean;
}

/** The repository of a call, on a branch that the caller may change. */
async function targetOf(source: Source, call: Call): Promise<Repository> {
  const repository = await sourceOf(source, call);
  await call.door.checkCommit(repository);
  return repository;
}

export const changeTools = (): Tool[] => [update(), branch(), merge(), revert()];

function result({ context }: Call, { name }: Repository, before: Revision, revision: Revision): ToolResult {
  if (revision.id === before.id) return { structured: { changed: false, ...originOf(revision) } };
  note(context, name, revision);
  return {
    structured: { changed: true, ...originOf(revision), added: revision.added, removed: revision.removed },
  };
}

const preview = ({ added, removed }: ChangePreview): ToolResult => ({ structured: { dryRun: true, added, removed } });

function update(): Tool {
  return {
    name: 'update',
    toolset: 'change',
    title: 'Update',
    description:
      'Change the data by a SPARQL update, as one revision that revert takes back. Try it with dry_run first',
    input: {
      properties: {
        update: { type: 'string', minLength: 1, description: 'A SPARQL update' },
        dry_run: DRY_RUN,
        message: MESSAGE,
        repository: REPOSITORY,
        branch: BRANCH,
      },
      required: ['update'],
    },
    effect: 'destroys',
    run: async (input: { update: string } & Input, call) => {
      const { update: text, dry_run: dryRun = false, message, ...source } = input;
      if (!call.context.allowSecrets) refuseSecrets(input);
      const repository = await targetOf(source, call);
      if (dryRun) return preview(await repository.update(text, { ...call.limits, dryRun: true }));
      const before = await repository.revision();
      const options = { ...call.limits, ...call.commit('update', message) };
      return result(call, repository, before, await repository.update(text, options));
    },
  };
}

function branch(): Tool {
  return {
    name: 'branch',
    toolset: 'change',
    title: 'Branch',
    description: 'Make a branch, on which changes leave main as it is until they are merged',
    input: {
      properties: {
        name: { type: 'string', minLength: 1, description: 'The name of the new branch' },
        from: { type: 'string', description: 'The revision with which it begins. Default: the head' },
        repository: REPOSITORY,
      },
      required: ['name'],
    },
    effect: 'adds',
    run: async (input: { name: string; from?: string } & Input, call) => {
      const { name, from, ...source } = input;
      const repository = await sourceOf(source, call);
      await call.door.checkCommit(repository, name);
      const made = await repository.branches.create(name, { from });
      return { structured: { branch: made.name, head: originOf(made.head) } };
    },
  };
}

function merge(): Tool {
  return {
    name: 'merge',
    toolset: 'change',
    title: 'Merge',
    description: 'Merge a branch into another one. Conflicts are refused, and named',
    input: {
      properties: {
        from: { type: 'string', minLength: 1, description: 'The branch that is merged' },
        into: { type: 'string', description: 'The branch that it is merged into. Default: main' },
        dry_run: DRY_RUN,
        message: MESSAGE,
        repository: REPOSITORY,
      },
      required: ['from'],
    },
    effect: 'adds',
    run: async (input: { from: string; into?: string } & Input, call) => {
      const { from, into, dry_run: dryRun = false, message, repository: name } = input;
      const repository = await targetOf(
        { ...(name !== undefined && { repository: name }), ...(into !== undefined && { branch: into }) },
        call,
      );
      if (dryRun) {
        const { added, removed, conflictCount } = await repository.branches.merge(from, { dryRun: true });
        return { structured: { dryRun: true, added, removed, conflicts: conflictCount } };
      }
      const before = await repository.revision();
      const options = { ...call.commit('merge', message ?? `merges ${from}`), signal: call.signal };
      return result(call, repository, before, await repository.branches.merge(from, options));
    },
  };
}

function revert(): Tool {
  return {
    name: 'revert',
    toolset: 'change',
    title: 'Revert',
    description: 'Undo the changes of a revision in a new one, as far as they are still in effect',
    input: {
      properties: {
        revision: { type: 'string', minLength: 1, description: 'The id or number of the revision, or HEAD' },
        message: MESSAGE,
        repository: REPOSITORY,
        branch: BRANCH,
      },
      required: ['revision'],
    },
    effect: 'adds',
    run: async (input: { revision: string } & Input, call) => {
      const { revision: ref, message, ...source } = input;
      const repository = await targetOf(source, call);
      const before = await repository.revision();
      const options = call.commit('revert', message ?? `takes back ${ref}`);
      return result(call, repository, before, await repository.revert(ref, options));
    },
  };
}
