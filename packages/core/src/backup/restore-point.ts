/** Where a restore ends: sets the repositories of a restored store back to it. Nothing else has the store open. */
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import type { StorageEngine } from '@quadrille/storage';
import { fromJson } from '../format/byte-codec.js';
import { nameIn } from '../catalogue/catalogue.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { loadDigest } from '../format/digest.js';
import { afterPrefix, Area, areaKey } from '../format/layout.js';
import { cutRepository } from '../rewrite/cut.js';
import type { Env } from '../runtime/env.js';
import type { Ref } from '../timeline/refs.js';
import { timesOf } from '../timeline/refs.js';

/** A time or, in a backup of one repository, any ref; or refs by the names of repositories. */
export type RestorePoint = Ref | Readonly<Record<string, Ref>>;

/**
 * Checks a point against the repositories of a backup, as far as that is possible without its data.
 * @throws InvalidArgumentError `INVALID_OPTION`; NotFoundError `REPOSITORY_NOT_FOUND`
 */
export function checkPoint(to: RestorePoint, names: readonly string[]): void {
  if (isRefs(to)) {
    const missing = Object.keys(to).find((name) => !names.includes(name));
    if (missing === undefined) return;
    throw new NotFoundError('REPOSITORY_NOT_FOUND', `the backup has no repository ${missing}`, {
      details: { repository: missing },
    });
  }
  if (timesOf(to) !== undefined || names.length === 1) return;
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `restore: the backup has ${names.length} repositories: \`to\` is a time, or names the revision of each, ` +
      `as in { '${names[0] ?? 'account/name'}': 17 }`,
    { details: { option: 'to' } },
  );
}

function isRefs(to: RestorePoint): to is Readonly<Record<string, Ref>> {
  return typeof to === 'object' && !(to instanceof Date) && typeof (to as { id?: unknown }).id !== 'string';
}

/**
 * Sets repositories back. A repository that did not exist at a time is deleted. Returns the names of those.
 * @throws NotFoundError `REVISION_NOT_FOUND`; InvalidArgumentError `INVALID_REF`; see also {@link checkPoint}
 */
export async function cutRepositories(engine: StorageEngine, to: RestorePoint, env: Env): Promise<readonly string[]> {
  await loadDigest();
  const found = new Map<string, RepositoryRecord>();
  const head = areaKey(Area.repository);
  for await (const chunk of engine.range({ gte: head, lt: afterPrefix(head) }))
    for (const { key, value } of chunk) found.set(nameIn(key), fromJson(value) as RepositoryRecord);
  checkPoint(to, [...found.keys()]);
  const dropped: string[] = [];
  for (const [name, { id }] of found) {
    const ref = isRefs(to) ? to[name] : to;
    if (ref === undefined) continue;
    if (!(await cutRepository(engine, { id, name }, env, ref))) dropped.push(name);
  }
  return dropped;
}
