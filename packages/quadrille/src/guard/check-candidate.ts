/** Checks what a change would make of a repository against its shapes, and refuses what violates them. */
import { Pacer } from '@quadrille/core';
import type { Candidate } from '@quadrille/core';
import { iri, paced, ShapesError, termToNTriples } from '@quadrille/model';
import { parseShapes, reportQuads, run, ShapesValidator } from '@quadrille/shacl';
import type { Results, Triple, ValidationResult } from '@quadrille/shacl';
import type * as RDF from '@rdfjs/types';
import { CandidateData } from './candidate-data.js';

/** A change of more quads is not looked at quad by quad: all focus nodes are validated. */
const MOST_TRIPLES = 250_000;
/** Quads of a graph of shapes. */
const MOST_SHAPES = 200_000;

type Timeline = Candidate['timeline'];

/** Shapes as they were read, for the next change. */
interface KnownShapes {
  readonly shapes: string;
  readonly validator: ShapesValidator;
  /** The mark of the dictionary when its terms were looked up; `undefined` if all were found. */
  readonly missingAt: number | undefined;
}

/** The shapes by state in memory. After a failure another state takes its place. */
const known = new WeakMap<Timeline, KnownShapes>();

/**
 * @param isOld whether the state before the change obeys the shapes, so that only what the change affects need be validated
 * @throws ShapesError `SHAPES_VIOLATED` with a report; `SHAPES_INVALID`
 */
export async function checkCandidate(candidate: Candidate, shapes: string, isOld = true): Promise<void> {
  const { timeline } = candidate;
  const graph = await timeline.encoder.encode(iri(shapes));
  // Without a term there is no graph of that name.
  if (graph === 0) return;
  const change = isOld ? await changeOf(candidate, graph) : ANYTHING;
  if (change.shapes) known.delete(timeline);
  if (!change.shapes && change.triples?.length === 0) return;
  const data = new CandidateData(candidate, graph);
  try {
    const validator = await validatorOf(candidate, data, shapes, graph, !change.shapes);
    const { triples } = change;
    const results =
      triples === undefined || change.shapes
        ? await run(validator.all(data))
        : await run(validator.change(data, triples));
    if (results.violations > 0) throw await violated(shapes, results);
  } finally {
    data.close();
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
      if (g[i] === graph) return ANYTHING;
      if (!isLarge) triples.push({ s: s[i]!, p: p[i]!, o: o[i]! });
    }
    if (pacer.due()) await pacer.pause();
  }
  return { shapes: false, triples: isLarge ? undefined : triples };
}

/** `keeps`: whether the shapes are those of the state before the change, which later changes can use. */
async function validatorOf(
  candidate: Candidate,
  data: CandidateData,
  shapes: string,
  graph: number,
  keeps: boolean,
): Promise<ShapesValidator> {
  const { timeline } = candidate;
  const { nextId } = timeline.dictionary;
  const before = keeps ? known.get(timeline) : undefined;
  const isSame = before?.shapes === shapes;
  if (isSame && (before.missingAt === undefined || before.missingAt === nextId)) return before.validator;
  const validator = isSame ? before.validator : new ShapesValidator(await parseShapes(await quadsOf(candidate, graph)));
  const isComplete = await run(validator.bind(data));
  if (keeps) known.set(timeline, { shapes, validator, missingAt: isComplete ? undefined : nextId });
  return validator;
}

/** The quads of the shapes. */
async function quadsOf(candidate: Candidate, graph: number): Promise<RDF.Quad[]> {
  const { timeline } = candidate;
  const pacer = new Pacer(timeline.env);
  const quads: RDF.Quad[] = [];
  const scan = candidate.scan({ s: 0, p: 0, o: 0, g: graph });
  try {
    for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
      if (rows < 0) {
        await scan.fetch();
        continue;
      }
      if (quads.length + rows > MOST_SHAPES) {
        const message = `a graph of shapes may have ${String(MOST_SHAPES)} quads, and this one has more`;
        throw new ShapesError('SHAPES_INVALID', message);
      }
      const { s, p, o, g, start, end } = scan;
      const ids = [s, p, o, g].map((column) => column.slice(start, end));
      for (let i = 0; i < end - start; i++) {
        const [subject, predicate, object] = await Promise.all(
          ids.slice(0, 3).map((column) => timeline.decoder.decode(column[i]!)),
        );
        quads.push({ subject, predicate, object } as RDF.Quad);
        if (pacer.due()) await pacer.pause();
      }
    }
  } finally {
    scan.close();
  }
  return quads;
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
