/** Makes the parts of a group: its patterns first, with what the dataset tells of them. */
import type * as RDF from '@rdfjs/types';
import type { Expression, Values } from '../../algebra/algebra.js';
import { expressionVariables, visibleVariables } from '../../algebra/variables.js';
import { Cost } from '../cost.js';
import { withoutLimit, type PartOfRows, type PlanContext, type Scope } from '../context.js';
import { figuresOfPart, type PatternFigures } from '../figures.js';
import { PatternMaker } from '../patterns.js';
import type { JoinSample } from '../join/join-part.js';
import type { PathPlan, PatternTerm, PlanPattern, ScanRange } from '../plan.js';
import { passingValues } from '../key-ranges.js';
import { valueRangePart } from '../value-range-part.js';
import { wordsPart } from '../words-part.js';
import { wordConditionsOf, wordTestsOf } from '../word-tests.js';
import { matchPart, otherPart, pathPart, patternPart, servicePart, type GroupPart } from './group-part.js';
import type { GroupParts } from './group-parts.js';
import { distinctValues } from './distinct-values.js';
import { rangeOf } from './scan-range.js';
import { seededPart } from './seeded-part.js';
import { sizeOfStars } from '../../operators/star/plan.js';
import { countMatches, isRow, onlyValues, withTerms } from './listed-values.js';

export interface MadeParts {
  readonly parts: readonly GroupPart[];
  /** The patterns of the first parts. */
  readonly patterns: readonly PlanPattern[];
}

export async function makeParts(planner: PlanContext, group: GroupParts, scope: Scope): Promise<MadeParts> {
  return new PartsMaker(planner, group, scope).make();
}

class PartsMaker {
  readonly #parts: GroupPart[] = [];
  readonly #patterns: PlanPattern[] = [];
  readonly #conditions: readonly Expression[];
  /** Pairs of VALUES and patterns whose matches were counted. */
  #counts = 0;
  /** One pattern is read in part. */
  #hasPart = false;

  constructor(
    private readonly planner: PlanContext,
    private readonly group: GroupParts,
    private readonly scope: Scope,
  ) {
    this.#conditions = group.filters;
  }

  async make(): Promise<MadeParts> {
    const maker = new PatternMaker(this.planner);
    const { unoptimised } = this.planner.options;
    const terms = unoptimised === true ? NO_TERMS : onlyValues(this.group.others);
    const patterns = this.group.patterns.map((pattern) => maker.pattern(withTerms(pattern, terms)));
    await this.planner.figures.bring(patterns);
    for (const pattern of patterns) await this.#addPattern(pattern);
    for (const { subject, closure, object, graph } of this.group.paths) {
      const { path, type: kind } = closure;
      const ends = {
        subject: maker.end(subject),
        object: maker.end(object),
        path,
        kind,
        graph: this.planner.graphOf(graph),
      };
      this.#parts.push(pathPart(ends, await this.#startsOf(ends)));
    }
    for (const match of maker.matches) this.#parts.push(matchPart(match));
    for (const operation of this.group.services)
      this.#parts.push(servicePart(operation, maker, this.planner.options.isVolatile));
    await this.#addOthers();
    return { parts: this.#parts, patterns: this.#patterns };
  }

  async #addOthers(): Promise<void> {
    const { others } = this.group;
    const visible = others.map(visibleVariables);
    const single = this.#parts.length === 0 && others.length === 1;
    const names = this.#timesLookedAt(visible);
    const isLookedAt = this.#isLookedAt(names);
    for (const [i, operation] of others.entries()) {
      const own = [...visible[i]!].filter(isLookedAt);
      // Its terms stand in the patterns already.
      if (own.length === 0 && isRow(operation) && this.#parts.length > 0) continue;
      const needed = new Set(own);
      const scope = { ...(single ? withoutLimit(this.scope) : {}), needed };
      const key = JSON.stringify(['alone', own, scope.first]);
      const alone = await this.planner.memo(operation, key, () => this.planner.plan(operation, scope));
      const shared = alone.variables.filter((name) => names.get(name)! > 1);
      const { first } = this.scope;
      const seeded = await seededPart(this.planner, operation, alone, shared, needed, first);
      const part = otherPart(alone, seeded, await distinctValues(this.planner, operation));
      const values = operation.type === 'distinct' ? operation.input : operation;
      const isCounted = values.type === 'values' && this.planner.options.unoptimised !== true;
      this.#parts.push(isCounted ? await this.#counted(part, values) : part);
    }
  }

  /** A part of VALUES, which knows how many rows of each pattern it joins. */
  async #counted(part: GroupPart, values: Values): Promise<GroupPart> {
    const samples = new Map<number, JoinSample>();
    const own = this.#parts.length;
    for (const [at, pattern] of this.#patterns.entries()) {
      const other = this.#parts[at]!;
      if (++this.#counts > MOST_COUNTS) break;
      const sample = await countMatches(this.planner, values, pattern, other.join);
      if (sample === undefined) continue;
      samples.set(at, sample);
      const known = new Map([...(other.join.samples ?? []), [own, sample]]);
      this.#parts[at] = { ...other, join: { ...other.join, samples: known } };
    }
    return samples.size === 0 ? part : { ...part, join: { ...part.join, samples } };
  }

  // By variable: how many parts have it.
  #timesLookedAt(others: readonly ReadonlySet<string>[]): Map<string, number> {
    const times = new Map<string, number>();
    for (const names of [...this.#parts.map(({ join }) => join.variables), ...others])
      for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
    return times;
  }

  // The variables that two parts share or that the parent or a filter uses.
  #isLookedAt(times: ReadonlyMap<string, number>): (name: string) => boolean {
    const filtered = new Set(this.group.filters.flatMap((filter) => [...expressionVariables(filter)]));
    return (name) => this.scope.needed.has(name) || filtered.has(name) || (times.get(name) ?? 0) > 1;
  }

  // From how many nodes a path leads on, where neither end is known.
  async #startsOf({ path, kind, graph }: Pick<PathPlan, 'path' | 'kind' | 'graph'>): Promise<number> {
    const { dataset, figures, constants } = this.planner;
    if (path.type !== 'link' || kind !== 'OneOrMorePath') return dataset.size;
    const p = { kind: 'constant', constant: constants.add(path.iri) } as const;
    const { rows, distinct } = await figures.of({ s: variableTerm('s'), p, o: variableTerm('o'), g: graph });
    return distinct.get('s') ?? rows;
  }

  /** A pattern of which the filters leave few literals, as an index of words tells. */
  async #byWords(pattern: PlanPattern, figures: PatternFigures): Promise<GroupPart | undefined> {
    const { dataset, options, resolve } = this.planner;
    const { s, o } = pattern;
    if (options.unoptimised === true || dataset.literalsWith === undefined || figures.rows < Cost.leastByWords)
      return undefined;
    if (s.kind !== 'variable' || o.kind !== 'variable' || o.name === s.name) return undefined;
    const conditions = wordConditionsOf(o.name, this.#conditions);
    const tests = wordTestsOf(conditions, resolve);
    if (tests.length === 0) return undefined;
    const found = await dataset.literalsWith(tests, NO_ENDS);
    if (found === undefined || found.ids.length > figures.rows * Cost.mostTested) return undefined;
    return wordsPart(pattern, o.name, figures, this.#conditions, conditions, found.ids.length);
  }

  /** A pattern of which comparisons leave few objects, as the index of order tells. */
  async #byOrder(pattern: PlanPattern, range: ScanRange): Promise<GroupPart | undefined> {
    const { dataset, options, resolve, figures } = this.planner;
    if (options.unoptimised === true || dataset.countKeys === undefined) return undefined;
    const all = await figures.of(pattern);
    if (all.rows < Cost.leastByWords) return undefined;
    const values = passingValues(range, resolve);
    if (values === undefined) return undefined;
    let found = 0;
    for (const keys of values.keys) {
      const count = await dataset.countKeys(keys);
      if (count === undefined) return undefined;
      found += count;
    }
    const inline = await figures.inRanges(pattern, values.inline);
    if (found + inline > all.rows * Cost.mostByWords) return undefined;
    return valueRangePart(pattern, range, all, this.#conditions, { found, inline }, this.planner.newName());
  }

  async #addPattern(pattern: PlanPattern): Promise<void> {
    const pause = this.planner.options.control?.checkpoint();
    if (pause !== undefined) await pause;
    const range = rangeOf(rangedVariable(pattern), this.#conditions);
    const known = this.planner.figures.of(pattern, range);
    const figures = known instanceof Promise ? await known : known;
    this.#patterns.push(pattern);
    const { part } = this.scope;
    const ofPart = part !== undefined && !this.#hasPart && isOf(pattern, part) ? partOf(figures, part) : undefined;
    if (ofPart !== undefined) this.#hasPart = true;
    const byIndex =
      ofPart === undefined
        ? ((await this.#byWords(pattern, figures)) ??
          (range && figures.isCounted !== true ? await this.#byOrder(pattern, range) : undefined))
        : undefined;
    if (byIndex !== undefined) {
      this.#parts.push(byIndex);
      return;
    }
    this.#parts.push(
      patternPart(
        pattern,
        ofPart ?? figures,
        this.#conditions,
        ofPart && part?.name,
        sizeOfStars(this.planner, pattern.g, figures),
      ),
    );
  }
}

const isOf = ({ s, p, o }: PlanPattern, { variable, predicate }: PartOfRows): boolean =>
  p.kind === 'constant' &&
  p.constant === predicate &&
  o.kind === 'variable' &&
  o.name === variable &&
  !(s.kind === 'variable' && s.name === variable);

/** What is known of a part of the quads; `undefined`: it would not be much less than all. */
function partOf(figures: PatternFigures, { share, least }: PartOfRows): PatternFigures | undefined {
  const { rows } = figures;
  const some = Math.min(Math.max(rows * share, least), rows);
  return some > rows * Cost.mostOfPart ? undefined : figuresOfPart(figures, some / rows);
}

/** The variable at the object of a pattern whose quads are read in the order of their objects. */
const rangedVariable = ({ s, p, o }: PlanPattern): string | undefined =>
  s.kind === 'variable' && p.kind === 'constant' && o.kind === 'variable' ? o.name : undefined;

/** Groups with more pairs of VALUES and patterns are planned without their counts. */
const MOST_COUNTS = 64;
const NO_ENDS = { throwIfAborted: (): void => undefined };
const NO_TERMS: ReadonlyMap<string, RDF.Term> = new Map();
const variableTerm = (name: string): PatternTerm => ({ kind: 'variable', name });
