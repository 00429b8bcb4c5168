/** Reads, checks and changes the settings of a repository. */
import type { Repository as CoreRepository, StoredSettings } from '@quadrille/core';
import { isAbsoluteIri, isLongIri } from '@quadrille/model';
import type { RepositorySettings, SettingsChange, ShapesWarning, TextIndexSettings } from '../api/index.js';
import type { Guarded } from '../guard/shapes-queries.js';
import { loadGuard } from '../guard/load-guard.js';
import { checkOptions, type Rule, type Rules } from '../options/check-options.js';
import { nullOr, oneOf } from '../options/rules.js';

const MOST_PREDICATES = 1000;
const MOST_BRANCHES = 100;
const MAIN = 'main';

const predicates: Rule = (value) =>
  Array.isArray(value) && value.length <= MOST_PREDICATES && value.every(isIri)
    ? undefined
    : `a list of at most ${String(MOST_PREDICATES)} absolute IRIs`;

const isIri = (value: unknown): value is string =>
  typeof value === 'string' && isAbsoluteIri(value) && !isLongIri(value);

const graph: Rule = (value) => (isIri(value) ? undefined : 'an absolute IRI');

const BRANCH_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.\-/]{0,99}$/u;
const isBranchName = (value: unknown): boolean => typeof value === 'string' && BRANCH_NAME.test(value);

const branch: Rule = (value) => (isBranchName(value) ? undefined : 'the name of a branch');

const branches: Rule = (value) =>
  Array.isArray(value) && value.length <= MOST_BRANCHES && value.every(isBranchName)
    ? undefined
    : `a list of at most ${String(MOST_BRANCHES)} names of branches`;
const RETENTION = ['last', 'days', 'perDay'];
const MOST_KEPT = 1_000_000_000;

const retained: Rule = (value) =>
  isRetention(value) ? undefined : 'an object with one or more of `last`, `days` and `perDay`: whole numbers from 1 on';

function isRetention(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  const isCount = (member: unknown): boolean =>
    Number.isInteger(member) && (member as number) >= 1 && (member as number) <= MOST_KEPT;
  return given.length > 0 && given.every(([name, member]) => RETENTION.includes(name) && isCount(member));
}

const TEXT_MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  properties: isIris,
  graphs: isIris,
  languages: (value) => Array.isArray(value) && value.length <= MOST_PREDICATES && value.every(isLanguageRange),
  fold: (value) => value === 'case' || value === 'diacritics',
  stem: (value) => value === false,
};

function isIris(value: unknown): boolean {
  return predicates(value) === undefined;
}

const LANGUAGE_RANGE = /^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i;
const isLanguageRange = (value: unknown): boolean => typeof value === 'string' && LANGUAGE_RANGE.test(value);

const searched: Rule = (value) => (isSearch(value) ? undefined : SEARCH_FORM);

const MOST_DIMENSIONS = 4096;
const MOST_VECTORS = 16;
const SEARCH_FORM = `{ text: true }, or { text: { properties, graphs, languages, fold, stem } }: lists of absolute IRIs, a list of language tags, 'case' or 'diacritics', false; or { vectors: { name: { property, dimension, embed } } }: an absolute IRI, a number from 1 to ${String(MOST_DIMENSIONS)}, true or nothing`;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isSearch(value: unknown): value is NonNullable<SettingsChange['search']> {
  if (!isRecord(value)) return false;
  const { text, vectors, ...others } = value;
  if (Object.keys(others).length > 0 || (text === undefined && vectors === undefined)) return false;
  return (text === undefined || isTextIndex(text)) && (vectors === undefined || isVectors(vectors));
}

function isTextIndex(text: unknown): boolean {
  if (text === true) return true;
  if (!isRecord(text)) return false;
  return Object.entries(text).every(([name, member]) => member === undefined || TEXT_MEMBERS[name]?.(member) === true);
}

const VECTORS_NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,99}$/u;

function isVectors(vectors: unknown): boolean {
  if (!isRecord(vectors)) return false;
  const all = Object.entries(vectors);
  if (all.length === 0 || all.length > MOST_VECTORS) return false;
  return all.every(([name, member]) => {
    if (!VECTORS_NAME.test(name) || !isRecord(member)) return false;
    const { property, dimension, embed, ...others } = member;
    if (Object.keys(others).length > 0 || !isIri(property) || (embed !== undefined && embed !== true)) return false;
    return Number.isInteger(dimension) && Number(dimension) >= 1 && Number(dimension) <= MOST_DIMENSIONS;
  });
}

type StoredSearch = NonNullable<StoredSettings['search']>;

const storedSearch = ({ text, vectors }: NonNullable<SettingsChange['search']>): StoredSearch => ({
  ...(text !== undefined && { text: storedText(text) }),
  ...(vectors !== undefined && { vectors }),
});

const storedText = (text: true | TextIndexSettings): NonNullable<StoredSearch['text']> => {
  if (text === true) return {};
  const { properties, graphs, languages, fold } = text;
  return {
    ...(properties !== undefined && { properties }),
    ...(graphs !== undefined && { graphs }),
    ...(languages !== undefined && { languages }),
    ...(fold === 'diacritics' && { fold }),
  };
};

const isBoolean: Rule = (value) => (typeof value === 'boolean' ? undefined : 'true or false');

const SETTINGS: Rules<SettingsChange> = {
  functional: nullOr(predicates),
  shapes: nullOr(graph),
  shapesStrict: nullOr(isBoolean),
  shapesMode: nullOr(oneOf('refuse', 'report')),
  shapesSince: nullOr(oneOf('always', 'now')),
  defaultBranch: nullOr(branch),
  protected: nullOr(branches),
  retention: nullOr(retained),
  search: nullOr(searched),
};

export async function getSettings(core: CoreRepository): Promise<RepositorySettings> {
  const stored = await core.settings();
  if (stored.shapes !== undefined || stored.search !== undefined) {
    const found = stored.shapes === undefined ? [] : await warnings(core, stored);
    return shown(stored, found, stored.search === undefined ? 1 : await core.searchProgress());
  }
  let settings = shownBefore.get(stored);
  if (settings === undefined) shownBefore.set(stored, (settings = Object.freeze(shown(stored, []))));
  return settings;
}

/** Without warnings, which change with each commit. */
const shownBefore = new WeakMap<StoredSettings, RepositorySettings>();

// Shapes may change with each commit, so their warnings are those of the present ones.
async function warnings(core: CoreRepository, stored: StoredSettings): Promise<readonly ShapesWarning[]> {
  const { warningsOf } = await loadGuard();
  await core.ownerOf(core.head).ready();
  const snapshot = core.snapshotOf(core.head);
  try {
    return await warningsOf(snapshot, stored);
  } finally {
    snapshot.close();
  }
}

/** @throws InvalidArgumentError `INVALID_OPTION`; NotFoundError `BRANCH_NOT_FOUND`; ShapesError `SHAPES_VIOLATED`, `SHAPES_INVALID` */
export async function setSettings(
  core: CoreRepository,
  change: SettingsChange,
  guarded: Guarded,
): Promise<RepositorySettings> {
  // A change that is not given is a mistake too.
  checkOptions((change ?? null) as SettingsChange, SETTINGS, 'settings');
  const { functional, shapes, defaultBranch, retention, search } = change;
  const lines = typeof defaultBranch === 'string' ? await core.lines() : undefined;
  await core.changeSettings(async (before, present) => {
    const after: StoredSettings = {
      ...before,
      ...(functional !== undefined && { functional: listed(functional) }),
      ...(shapes !== undefined && { shapes: shapes ?? undefined }),
      ...(change.shapesStrict !== undefined && { shapesStrict: change.shapesStrict === true ? true : undefined }),
      ...(change.shapesMode !== undefined && { shapesMode: change.shapesMode === 'report' ? 'report' : undefined }),
      ...(change.shapesSince !== undefined && { shapesSince: change.shapesSince === 'now' ? 'now' : undefined }),
      ...(defaultBranch !== undefined && {
        defaultBranch: defaultBranch === MAIN ? undefined : (defaultBranch ?? undefined),
      }),
      ...(change.protected !== undefined && { protected: listed(change.protected) }),
      ...(retention !== undefined && { retention: retention ?? undefined }),
      ...(search !== undefined && { search: search === null ? undefined : storedSearch(search) }),
    };
    // Later changes are compared with the present state: it has to obey the shapes, unless these report or pass over what was there.
    const isStrictNow =
      change.shapesStrict === true ||
      after.shapesMode !== before.shapesMode ||
      after.shapesSince !== before.shapesSince;
    if (typeof shapes === 'string' || isStrictNow) {
      const { checkCandidate } = await loadGuard();
      await checkCandidate(present, after, guarded, false);
    }
    // No branch is deleted meanwhile. So the default branch is there until the setting changes.
    if (typeof defaultBranch === 'string') await lines!.lineOf(defaultBranch);
    return after;
  });
  return getSettings(core);
}

/** An empty list is stored as none. */
const listed = (texts: readonly string[] | null): readonly string[] | undefined =>
  texts === null || texts.length === 0 ? undefined : [...new Set(texts)];

const shown = (
  {
    functional = [],
    shapes,
    shapesStrict = false,
    shapesMode,
    shapesSince,
    defaultBranch = MAIN,
    retention,
    search,
    ...others
  }: StoredSettings,
  shapesWarnings: readonly ShapesWarning[],
  progress = 1,
): RepositorySettings => ({
  functional,
  shapes,
  shapesStrict,
  shapesMode: shapesMode ?? 'refuse',
  shapesSince: shapesSince ?? 'always',
  shapesWarnings,
  retention,
  search: search && {
    text: search.text && { fold: 'case', stem: false, ...search.text },
    vectors: search.vectors,
    progress,
  },
  defaultBranch,
  protected: others.protected ?? [],
});
