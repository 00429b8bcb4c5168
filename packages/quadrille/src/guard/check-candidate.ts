/** Checks what a change would make of a repository against its shapes, and refuses what violates them. */
import { Pacer } from '@quadrille/core';
import type { Candidate, Snapshot, StoredSettings } from '@quadrille/core';
import { iri, paced, ShapesError, termToNTriples } from '@quadrille/model';
import { reportQuads, run } from '@quadrille/shacl';
import type { Results, ShapesValidator, ShapesWarning, Triple, ValidationResult } from '@quadrille/shacl';
import type { IdDataset } from '@quadrille/sparql';
import { withoutGraph } from '../sparql/without-graph.js';
import { CandidateIdDataset } from './candidate-ids.js';
import { knownShapes, type Timeline } from './known-shapes.js';
import { readShapes } from './read-shapes.js';
import { type Guarded, type QueryContext, ShapesQueries } from './shapes-queries.js';
import { StoredData } from './stored-data.js';

/** A change of more quads is not looked at quad by quad: all focus nodes are validated. */
const MOST_TRIPLES = 250_000;

type ShapesSettings = Pick<StoredSettings, 'shapes' | 'shapesStrict' | 'shapesMode' | 'shapesSince'>;

/** What a check has found that does not refuse the change. */
interface Found {
  /** Number of violations. */
  readonly violations: number;
}

/**
 * @param isOld whether the state before the change obeys the shapes, so that only what the change affects need be validated
 * @throws ShapesError `SHAPES_VIOLATED` with a report; `SHAPES_INVALID`, `SHAPES_TIMEOUT`
 */
export async function checkCandidate(
  candidate: Candidate,
  { shapes, shapesStrict: strict = false, shapesMode, shapesSince }: ShapesSettings,
  guarded: Guarded,
  isOld = true,
): Promise<Found | undefined> {
  if (shapes === undefined) return undefined;
  const { timeline } = candidate;
  // Without a term there is no graph of that name.
  const graph = await timeline.encoder.encode(iri(shapes));
  const change = isOld ? await changeOf(candidate, graph) : ANYTHING;
  if (change.shapes) knownShapes.delete(timeline);
  if (!change.shapes && change.triples?.length === 0) return undefined;
  const title = `validation with the shapes of <${shapes}>`;
  const isSince = shapesSince === 'now';
  const state = new ReadState(candidate, graph, { ...guarded, title });
  // Results that are there already are passed over, so the present state may have any.
  const before = isSince && isOld ? new ReadState(candidate.before(), graph, { ...guarded, title }) : undefined;
  try {
    const { data } = state;
    const validator = await validatorOf(candidate, data, { shapes, strict, graph, keeps: !change.shapes });
    if (!isOld && (isSince || shapesMode === 'report')) return undefined;
    const { triples } = change;
    const results =
      triples === undefined || change.shapes
        ? await run(validator.all(data, undefined, before?.data))
        : await run(validator.change(data, triples, before?.data));
    const { violations } = results;
    if (violations === 0) return undefined;
    if (shapesMode === 'report') return { violations };
    throw await violated(shapes, results);
  } finally {
    state.close();
    before?.close();
    before?.candidate.close();
  }
}

/** A state as data, with what asks queries of it. */
class ReadState {
  readonly data: StoredData;
  readonly #queries: ShapesQueries;

  constructor(
    readonly candidate: Candidate,
    graph: number,
    context: QueryContext,
  ) {
    const open = (): IdDataset => withoutGraph(new CandidateIdDataset(candidate), graph);
    this.#queries = new ShapesQueries(context, open, false);
    this.data = new StoredData(candidate, graph, this.#queries);
  }

  close(): void {
    this.data.close();
    this.#queries.close();
  }
}

interface Change {
  /** Whether the shapes change. */
  readonly shapes: boolean;
  /** The changed triples of the data; `undefined` if there are too many. */
  readonly triples: readonly Triple[] | undefined;
}

const ANYTHING: Change = { shapes: true, triples: undefined };

async function changeOf(candidate: Candidate, graph: number): Promise<Change> {
  const { changes, size } = candidate;
  const isLarge = changes > MOST_TRIPLES || (changes > 1000 && changes > size / 2);
  const pacer = new Pacer(candidate.timeline.env);
  const triples: Triple[] = [];
  for await (const { columns, start, end } of candidate.rows()) {
    const [s, p, o, g] = columns;
    for (let i = start; i < end; i++) {
      if (graph !== 0 && g[i] === graph) return ANYTHING;
      if (!isLarge) triples.push({ s: s[i]!, p: p[i]!, o: o[i]! });
    }
    if (pacer.due()) await pacer.pause();
  }
  return { shapes: false, triples: isLarge ? undefined : triples };
}

interface Wanted {
  readonly shapes: string;
  readonly strict: boolean;
  readonly graph: number;
  /** Whether the shapes are those of the state before the change, which later changes can use. */
  readonly keeps: boolean;
}

async function validatorOf(
  candidate: Candidate,
  data: StoredData,
  { shapes, strict, graph, keeps }: Wanted,
): Promise<ShapesValidator> {
  const { timeline } = candidate;
  const { nextId } = timeline.dictionary;
  const before = keeps ? knownShapes.get(timeline) : undefined;
  const isSame = before?.shapes === shapes && before.strict === strict;
  if (isSame && (before.missingAt === undefined || before.missingAt === nextId)) return before.validator;
  const validator = isSame ? before.validator : await readShapes(candidate, graph, { graph: iri(shapes), strict });
  const isComplete = await run(validator.bind(data));
  if (keeps) knownShapes.set(timeline, { shapes, strict, validator, missingAt: isComplete ? undefined : nextId });
  return validator;
}

async function violated(shapes: string, { list }: Results): Promise<ShapesError> {
  // Few changes are refused, and its code takes longer to load than all of the check.
  const { toDataset } = await import('../rdfjs/to-dataset.js');
  const report = await toDataset(paced(reportQuads(list)));
  const first = list.find(({ severity }) => severity.value.endsWith('#Violation')) ?? list[0]!;
  const count = list.length === 1 ? '1 result' : `${String(list.length)} results`;
  const message = `the change violates the shapes of <${shapes}>: ${count}, such as ${resultText(first)}`;
  return new ShapesError('SHAPES_VIOLATED', message, { report, details: { shapes, count: list.length } });
}

const LONGEST_TEXT = 200;
const shortened = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

function resultText({ focusNode, path, value, text, messages }: ValidationResult): string {
  const node = shortened(termToNTriples(focusNode));
  const way = path?.kind === 'predicate' ? ` ${termToNTriples(path.predicate.term)}` : path && ' (path)';
  const said = value === undefined ? '' : ` ${shortened(termToNTriples(value))}`;
  return `${node}${way ?? ''}${way === undefined ? '' : said}: ${shortened(messages[0]?.value ?? text)}`;
}

/** The warnings of shapes that no change was compared with yet. */
const toldWarnings = new WeakMap<Timeline, { readonly key: string; readonly warnings: readonly ShapesWarning[] }>();

/** The warnings of the shapes of a state. Servers ask for the settings with each request. */
export async function warningsOf(
  state: Snapshot,
  { shapes, shapesStrict: strict = false }: ShapesSettings,
): Promise<readonly ShapesWarning[]> {
  if (shapes === undefined) return [];
  const { timeline, number } = state;
  const before = knownShapes.get(timeline);
  if (before?.shapes === shapes && before.strict === strict) return before.validator.shapes.warnings;
  const key = `${String(number)} ${shapes}`;
  let told = toldWarnings.get(timeline);
  if (told?.key !== key) {
    const graph = await timeline.encoder.encode(iri(shapes));
    const { warnings } = (await readShapes(state, graph, { graph: iri(shapes) })).shapes;
    toldWarnings.set(timeline, (told = { key, warnings }));
  }
  return told.warnings;
}

export { validateAt } from './validate-at.js';
