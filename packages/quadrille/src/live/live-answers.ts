/** Follows the answer of a query, from one update to the next. */
import type { Change, LiveUpdate, Revision, SparqlText } from '../api/index.js';
import type { HostLiveOptions, HostQueryOptions } from '../host/host-types.js';
import { differenceOf } from './answer-diff.js';
import type { AnswerSource } from './answer-source.js';
import { type Difference, FollowedQuery, type Step } from './followed-query.js';
import type { HeldAnswer } from './held-answer.js';
import { HeldCounts } from './held-counts.js';
import { NetChanges } from './net-changes.js';

/** Among more revisions than these it is not looked for one that a query depends on. */
const MOST_REVISIONS = 64;

/** Revisions that are followed together. */
interface Steps extends Step {
  readonly to: Revision;
  readonly revisions: readonly Revision[];
}

/** `signal` also ends when the caller leaves the loop. */
export async function* liveAnswers(
  source: AnswerSource,
  text: SparqlText,
  { since, evaluate = (run) => run(), ...options }: HostLiveOptions,
  signal: AbortSignal,
): AsyncGenerator<LiveUpdate> {
  const { repository } = source;
  const query = await FollowedQuery.prepare(source, text, { ...options, signal });
  const follower = new Follower(query, evaluate);
  const revision = await (since === undefined ? repository : repository.at(since)).revision();
  if (since === undefined) {
    const answer = await follower.begin(revision);
    yield { revision, variables: answer.variables, added: answer.without(), removed: [], path: 'initial' };
  } else if (follower.holds) await follower.begin(revision);
  for await (const steps of stepsAfter(source, query, revision, signal)) {
    const update = await follower.follow(steps);
    if (update !== undefined && update.added.length + update.removed.length > 0)
      yield { revision: steps.to, ...update };
  }
}

/** A consumer that was away for several revisions gets them together. */
async function* stepsAfter(
  { repository }: AnswerSource,
  query: FollowedQuery,
  since: Revision,
  signal: AbortSignal,
): AsyncGenerator<Steps> {
  let from = since;
  let last: number | undefined;
  let changes = new NetChanges(query.keyOf);
  let revisions: Revision[] = [];
  for await (const change of repository.watch({ since, signal })) {
    const { revision } = change;
    last ??= (await repository.revision()).number;
    if (revisions.length <= MOST_REVISIONS) revisions.push(revision);
    if (query.reads !== undefined) await note(changes, change, signal);
    if (revision.number < last) continue;
    yield { from, to: revision, changes, revisions };
    from = revision;
    last = undefined;
    changes = new NetChanges(query.keyOf);
    revisions = [];
  }
}

async function note(changes: NetChanges, { revision, quads }: Change, signal: AbortSignal): Promise<void> {
  changes.expect(revision.added + revision.removed);
  if (!changes.large) for await (const entry of quads({ signal })) changes.add(entry);
}

type Evaluate = NonNullable<HostLiveOptions['evaluate']>;
type Update = Omit<LiveUpdate, 'revision'>;

/** Holds of the last answer what the next difference needs: nothing where it follows from the changed quads alone. */
class Follower {
  #answer: HeldAnswer | undefined;
  #counts: HeldCounts | undefined;

  constructor(
    private readonly query: FollowedQuery,
    private readonly evaluate: Evaluate,
  ) {}

  get holds(): boolean {
    const { delta } = this.query;
    return delta === undefined || delta.counted !== undefined;
  }

  /** The first answer. */
  async begin(revision: Revision): Promise<HeldAnswer> {
    const answer = await this.evaluate((options) => this.query.answerAt(revision, options));
    this.#hold(answer);
    return answer;
  }

  #hold(answer: HeldAnswer): void {
    const { delta } = this.query;
    if (delta === undefined) this.#answer = answer;
    else if (delta.counted !== undefined) this.#counts = new HeldCounts(delta.counted, answer);
  }

  /** What revisions change in the answer; `undefined` if they change no quad that the query reads. */
  async follow(steps: Steps): Promise<Update | undefined> {
    const { query } = this;
    if (!(await this.#isTouched(steps))) return undefined;
    if (query.reads === undefined || query.delta === undefined || steps.changes.large)
      return this.evaluate((options) => this.#rerun(steps, options));
    const found = await this.evaluate(async (options): Promise<Difference> => {
      const counts = this.#counts;
      return counts === undefined
        ? query.difference(steps, options)
        : counts.apply(await query.solutions(steps, options));
    });
    return { variables: query.delta.columns, ...found, path: 'delta' };
  }

  async #isTouched({ changes, revisions }: Steps): Promise<boolean> {
    const { query } = this;
    if (query.reads === undefined || (changes.large && revisions.length > MOST_REVISIONS)) return true;
    if (!changes.large) return [...changes.of(1), ...changes.of(-1)].some((quad) => query.readsQuad(quad));
    for (const revision of revisions) if (await query.isTouchedBy(revision)) return true;
    return false;
  }

  async #rerun({ from, to }: Steps, options?: HostQueryOptions): Promise<Update> {
    const before = this.#answer ?? (await this.query.answerAt(from, options));
    const after = await this.query.answerAt(to, options);
    this.#hold(after);
    return { variables: after.variables, ...differenceOf(before, after), path: 'rerun' };
  }
}
