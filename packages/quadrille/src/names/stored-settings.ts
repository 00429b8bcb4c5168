/** Reads, checks and changes the settings of a repository. */
import type { Candidate, Repository as CoreRepository, StoredSettings } from '@quadrille/core';
import { isAbsoluteIri, isLongIri } from '@quadrille/model';
import type { RepositorySettings, SettingsChange } from '../api/index.js';
import { checkOptions, type Rule, type Rules } from '../options/check-options.js';
import { nullOr } from '../options/rules.js';

const MOST_PREDICATES = 1000;

const predicates: Rule = (value) =>
  Array.isArray(value) && value.length <= MOST_PREDICATES && value.every(isIri)
    ? undefined
    : `a list of at most ${String(MOST_PREDICATES)} absolute IRIs`;

const isIri = (value: unknown): value is string =>
  typeof value === 'string' && isAbsoluteIri(value) && !isLongIri(value);

const graph: Rule = (value) => (isIri(value) ? undefined : 'an absolute IRI');

const SETTINGS: Rules<SettingsChange> = { functional: nullOr(predicates), shapes: nullOr(graph) };

export async function getSettings(core: CoreRepository): Promise<RepositorySettings> {
  return shown(await core.settings());
}

/** @throws InvalidArgumentError `INVALID_OPTION`; ShapesError `SHAPES_VIOLATED`, `SHAPES_INVALID` */
export async function setSettings(core: CoreRepository, change: SettingsChange): Promise<RepositorySettings> {
  // A change that is not given is a mistake too.
  checkOptions((change ?? null) as SettingsChange, SETTINGS, 'settings');
  const { functional, shapes } = change;
  return shown(
    await core.changeSettings(async (before, present) => {
      // The present state has to obey the shapes, so that later changes are compared with it.
      if (typeof shapes === 'string') await checkPresent(present, shapes);
      return {
        ...before,
        ...(functional !== undefined && { functional: listed(functional) }),
        ...(shapes !== undefined && { shapes: shapes ?? undefined }),
      };
    }),
  );
}

async function checkPresent(present: Candidate, shapes: string): Promise<void> {
  const { checkCandidate } = await import('../guard/check-candidate.js');
  await checkCandidate(present, shapes, false);
}

/** An empty list is stored as none. */
const listed = (iris: readonly string[] | null): readonly string[] | undefined =>
  iris === null || iris.length === 0 ? undefined : [...new Set(iris)];

const shown = ({ functional = [], shapes }: StoredSettings): RepositorySettings => ({ functional, shapes });
