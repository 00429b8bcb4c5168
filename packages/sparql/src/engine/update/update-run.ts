/** Updates over a staged transaction. Each operation sees those before it; an error leaves the rest to the caller's rollback. */
import type * as RDF from '@rdfjs/types';
import { ConflictError, DEFAULT_GRAPH, EvaluationError, FetchError, NotFoundError, printTerm } from '@quadrille/model';
import { patternVariables, type GraphTarget, type Operation, type UpdateOperation } from '../../algebra/algebra.js';
import type { EvaluationControl } from '../../control/control.js';
import type { WritableDataset } from '../../dataset/dataset.js';
import { toGraphSource } from '../../dataset/dataset-view.js';

import type { Memory } from '../../control/memory.js';
import { MISS, type IdQuads, type WritableIdDataset } from '../../dataset/id-dataset.js';
import type { Batch } from '../../execute/core/batch.js';
import { graphsFor, volatileFunctions, type EvaluationOptions } from '../options.js';
import { findExtension } from '../../expression/extension-functions.js';
import { newBlankNodePrefix } from '../../algebra/terms.js';
import type { ParsedText, ParsedUpdate } from '../../algebra/request.js';
import { planOperation } from '../../plan/planner.js';
import { readPredicates } from '../../algebra/read-predicates.js';
import { bindUpdate } from '../../algebra/substitute-variables.js';
import { substituteValues } from '../../algebra/substitute-values.js';
import { checkPlan } from '../check-plan.js';
import { Template } from '../forms/template-quads.js';
import { DataQuads } from './data-quads.js';
import { runPlan, startSession, withGraphs, type Session } from '../execution.js';
import { OpenedRepositories } from '../../operators/repository/opened-repositories.js';
import { openOthers, planningDataset } from '../other-repositories.js';
import { LoadedQuads } from './loaded-quads.js';
import { QuadBuffer } from './quad-buffer.js';

/** Quads that one call of the dataset gets at most: it holds the event loop for some milliseconds. */
const PART_QUADS = 1024;

type DeleteInsert = UpdateOperation & { readonly type: 'deleteinsert' };
type Transfer = UpdateOperation & { readonly type: 'add' | 'move' | 'copy' };
type Create = UpdateOperation & { readonly type: 'clear' | 'drop' | 'create' };
type Load = UpdateOperation & { readonly type: 'load' };
type SingleGraph = RDF.NamedNode | 'default';

export class UpdateRun {
  readonly #ids: WritableIdDataset;
  readonly #operations: readonly UpdateOperation[];
  readonly #session: Session;
  /** Each other repository has one revision for all operations of the update. */
  readonly #opened: OpenedRepositories;

  constructor(
    text: ParsedText<ParsedUpdate>,
    private readonly dataset: WritableDataset,
    private readonly control: EvaluationControl,
    private readonly options: EvaluationOptions,
  ) {
    const { operations, baseIRI } = substituteValues(text);
    this.#operations = operations.map((operation) => bindUpdate(operation, options.bindings ?? {}));
    this.#ids = dataset.ids;
    this.#opened = new OpenedRepositories(options.repositories, control);
    this.#session = startSession({
      dataset: this.#ids,
      control,
      memoryBytes: options.memoryBytes,
      resolve: (term) => term,
      now: options.now ?? new Date(),
      baseIRI,
      blankNodePrefix: options.blankNodePrefix ?? newBlankNodePrefix(),
      remote: options.remote,
      opened: this.#opened,
      extension: (iri) => findExtension(iri, options.extensionFunctions),
      aggregate: (iri) => options.aggregates?.[iri],
    });
  }

  get memory(): Memory {
    return this.#session.memory;
  }

  async run(): Promise<void> {
    for (const operation of this.#operations) await this.#run(operation);
  }

  async #run(operation: UpdateOperation): Promise<void> {
    await this.control.checkpoint();
    switch (operation.type) {
      case 'deleteinsert':
        return this.#deleteInsert(operation);
      case 'clear':
      case 'drop':
        return this.#clear(operation.source);
      case 'create':
        return this.#create(operation);
      case 'load':
        return this.#load(operation);
      default:
        return this.#transfer(operation);
    }
  }

  async #deleteInsert(operation: DeleteInsert): Promise<void> {
    const removed = new QuadBuffer(this.#session.memory);
    const added = new QuadBuffer(this.#session.memory);
    if (operation.where === undefined) {
      await new DataQuads(this.#session).read(operation.delete ?? [], removed);
      await new DataQuads(this.#session).read(operation.insert ?? [], added);
    } else await this.#fillTemplates(operation, operation.where, removed, added);
    await this.#apply(removed, (part) => this.#ids.remove(part));
    await this.#apply(added, (part) => this.#ids.add(part));
  }

  // All solutions are read before any change: the pattern must not see its own changes.
  async #fillTemplates(
    { delete: removals = [], insert: additions = [] }: DeleteInsert,
    where: Operation,
    removed: QuadBuffer,
    added: QuadBuffer,
  ): Promise<void> {
    const names = patternVariables([...removals, ...additions]).filter((name) => !name.startsWith('_:'));
    const removal = await Template.open(removals, names, this.#session);
    const addition = await Template.open(additions, names, this.#session);
    const remove = (s: number, p: number, o: number, g: number): void => removed.push(s, p, o, g);
    const add = (s: number, p: number, o: number, g: number): void => added.push(s, p, o, g);
    for await (const batch of await this.#solutions(where, names)) {
      const removing = removal.fill(batch, remove);
      if (removing !== undefined) await removing;
      const adding = addition.fill(batch, add);
      if (adding !== undefined) await adding;
    }
  }

  async #solutions(where: Operation, names: readonly string[]): Promise<AsyncIterable<Batch>> {
    const clause = where.type === 'from' ? where : undefined;
    const pattern = clause === undefined ? where : clause.input;
    await this.#ids.beginReading(readPredicates(pattern));
    const selection = graphsFor(clause, this.options);
    const { operation, graphs } = await openOthers(pattern, selection, this.#opened, this.control);
    const dataset = await planningDataset(this.#ids, graphs, this.control);
    const planned = await planOperation(operation, names, dataset, selection, (term) => term, {
      unoptimised: this.options.unoptimised,
      control: this.control,
      memory: this.memory,
      isVolatile: volatileFunctions(this.options),
      others: this.#opened.datasets,
    });
    this.memory.releaseValues(planned.bytes);
    await checkPlan(planned, this.options, this.control);
    return runPlan(planned, withGraphs(this.#session, graphs));
  }

  async #apply(quads: QuadBuffer, apply: (part: IdQuads) => Promise<void>): Promise<void> {
    for (const part of quads.parts(PART_QUADS)) {
      await this.control.checkpoint();
      await apply(part);
    }
    quads.free();
  }

  async #clear(target: GraphTarget): Promise<void> {
    // Before a graph is looked for: that there is none is a reading too.
    await this.#ids.beginReading();
    const anything = { s: 0, p: 0, o: 0 };
    if (isEveryGraph(target, 'all')) return this.#ids.removeMatches({ ...anything, g: 0 });
    if (isEveryGraph(target, 'named')) {
      for (const graph of await this.dataset.namedGraphs()) {
        await this.#ids.removeMatches({ ...anything, g: await this.#session.terms.find(graph) });
      }
      return;
    }
    const g = await this.#graphId(singleGraph(target), false);
    if (g !== 0) await this.#ids.removeMatches({ ...anything, g });
  }

  // A graph exists when it has a quad: creating another one changes nothing.
  async #create({ source, silent }: Create): Promise<void> {
    if (silent === true || typeof source === 'string') return;
    await this.#ids.beginReading();
    const g = await this.#session.terms.find(source);
    if (g === 0) return;
    const scan = this.#ids.scan({ s: 0, p: 0, o: 0, g });
    try {
      let rows = scan.next();
      for (; rows === MISS; rows = scan.next()) await scan.fetch();
      if (rows > 0) throw new ConflictError('ALREADY_EXISTS', `there is a graph ${printTerm(source)} already`);
    } finally {
      scan.close();
    }
  }

  async #graphId(graph: SingleGraph, intern: boolean): Promise<number> {
    if (graph === 'default') return DEFAULT_GRAPH;
    const { terms } = this.#session;
    return intern ? terms.intern(graph) : terms.find(graph);
  }

  async #transfer({ type, source, destination, silent }: Transfer): Promise<void> {
    const from = singleGraph(source);
    const to = singleGraph(destination);
    if (from === to || (from !== 'default' && to !== 'default' && from.equals(to))) return;
    await this.#ids.beginReading();
    const fromId = await this.#graphId(from, false);
    const toId = await this.#graphId(to, true);
    const quads = await this.#graph(fromId, toId);
    if (quads.length === 0 && from !== 'default') {
      if (silent === true) return;
      throw new NotFoundError('INPUT_NOT_FOUND', `there is no graph ${printTerm(from)}`);
    }
    const all = { s: 0, p: 0, o: 0 };
    if (type !== 'add') await this.#ids.removeMatches({ ...all, g: toId });
    await this.#apply(quads, (part) => this.#ids.add(part));
    if (type === 'move') await this.#ids.removeMatches({ ...all, g: fromId });
  }

  // The quads of a graph, as those of another one.
  async #graph(from: number, to: number): Promise<QuadBuffer> {
    const quads = new QuadBuffer(this.#session.memory);
    if (from === 0) return quads;
    await this.#ids.beginReading();
    const scan = this.#ids.scan({ s: 0, p: 0, o: 0, g: from });
    try {
      for (let rows = scan.next(); rows !== 0; rows = scan.next()) {
        await this.control.checkpoint();
        if (rows === MISS) await scan.fetch();
        else for (let i = scan.start; i < scan.end; i++) quads.push(scan.s[i]!, scan.p[i]!, scan.o[i]!, to);
      }
    } finally {
      scan.close();
    }
    return quads;
  }

  // Nothing is added before the whole document has been read: a silent failure changes nothing.
  async #load({ source, destination, silent }: Load): Promise<void> {
    const quads = new QuadBuffer(this.#session.memory);
    try {
      await this.#readDocument(source, destination, quads);
    } catch (error) {
      quads.free();
      this.control.throwIfFailed();
      if (silent !== true) throw error;
      return;
    }
    await this.#apply(quads, (part) => this.#ids.add(part));
  }

  async #readDocument(source: RDF.NamedNode, destination: Load['destination'], quads: QuadBuffer): Promise<void> {
    const { remote } = this.options;
    if (remote === undefined) {
      throw new FetchError('BLOCKED_ADDRESS', `LOAD is not allowed here: ${printTerm(source)}`);
    }
    const graph = destination === undefined ? undefined : await this.#graphId(singleGraph(destination), true);
    const loaded = new LoadedQuads(this.#session, graph, quads);
    for await (const batch of remote.load(source.value, { signal: this.control.signal })) await loaded.add(batch);
  }
}

function isEveryGraph(target: GraphTarget, which: 'all' | 'named'): boolean {
  if (typeof target === 'string') return target === which.toUpperCase();
  return toGraphSource(target) === which;
}

function singleGraph(target: GraphTarget): SingleGraph {
  if (target === 'DEFAULT') return 'default';
  const source = typeof target === 'string' ? target : toGraphSource(target);
  if (source === 'default') return 'default';
  if (typeof source !== 'string') return target as RDF.NamedNode;
  throw new EvaluationError('UNSUPPORTED', 'ADD, COPY and MOVE take single graphs, not a set of them');
}
