/** Random group graph patterns, made from quads of the data whose terms are turned into variables. */
import type { Chance } from '../chance.js';
import { isBlank, isTripleTerm, randomLiteral, TERMS, tripleText, type QuadText } from '../data.js';
import { ExpressionMaker } from './expression.js';
import { randomPath } from './path.js';
import { makeSelect } from './select.js';
import { Names, Scope } from './scope.js';
import { call, infix, termOf, type Pattern, type Select, type TermText, type Triple } from '../syntax.js';

/** What the patterns of a query are made from. */
export interface Source {
  readonly data: readonly QuadText[];
  /** The graphs that are merged into the default graph. */
  readonly defaultGraphs: readonly TermText[];
  readonly namedGraphs: readonly TermText[];
}

const SPLIT_TRIPLE = /^<<\( (\S+) (\S+) (.*) \)>>$/;

export class PatternMaker {
  readonly names = new Names();
  readonly expressions: ExpressionMaker;

  constructor(
    readonly chance: Chance,
    private readonly source: Source,
    /** Labels of blank nodes begin with it: two operations of a request may have none in common. */
    private readonly labels = '_:u',
  ) {
    this.expressions = new ExpressionMaker(chance, (scope, depth) =>
      this.where(new Scope(scope.graph, scope, true), depth),
    );
  }

  /** The parts of a group. The scope is told what they bind. */
  where(scope: Scope, depth: number): Pattern[] {
    const parts = [this.#first(scope, depth)];
    const more = depth <= 0 ? this.chance.below(2) : this.chance.below(4);
    for (let i = 0; i < more; i++) parts.push(this.#part(scope, depth));
    return parts;
  }

  #first(scope: Scope, depth: number): Pattern {
    if (depth <= 0 || this.chance.in(0.8)) return this.triples(scope);
    return this.chance.weighted<() => Pattern>([
      [1, () => this.#values(scope)],
      [2, () => this.#graph(scope, depth - 1)],
      [1, () => this.#union(scope, depth - 1)],
      [1, () => this.#select(scope, depth - 1)],
      [1, () => this.#group('optional', scope, depth - 1)],
    ])();
  }

  #part(scope: Scope, depth: number): Pattern {
    const nested = depth > 0 ? 1 : 0;
    return this.chance.weighted<() => Pattern>([
      [1.5, () => this.triples(scope)],
      [4, () => ({ pattern: 'filter', condition: this.expressions.condition(scope) })],
      [1.2, () => this.#bind(scope)],
      [1.2, () => this.#values(scope)],
      [nested * 2.5, () => ({ pattern: 'filter', condition: this.#existence(scope, depth - 1) })],
      [nested * 3.5, () => this.#group('optional', scope, depth - 1)],
      [nested * 1.5, () => this.#group('minus', scope, depth - 1)],
      [nested * 1.2, () => this.#group('group', scope, depth - 1)],
      [nested * 2, () => this.#union(scope, depth - 1)],
      [nested * 2.5, () => this.#graph(scope, depth - 1)],
      [nested * 2, () => this.#select(scope, depth - 1)],
    ])();
  }

  #existence(scope: Scope, depth: number): ReturnType<ExpressionMaker['condition']> {
    const exists = this.expressions.exists(scope, depth);
    if (this.chance.in(0.8)) return exists;
    return infix(exists, this.chance.among(['&&', '||']), this.expressions.condition(scope, 0));
  }

  #group(kind: 'group' | 'optional' | 'minus', scope: Scope, depth: number): Pattern {
    const inner = new Scope(scope.graph, scope, kind === 'optional');
    const where = this.where(inner, depth);
    if (kind !== 'minus') scope.merge(inner);
    return { pattern: kind, where };
  }

  #union(scope: Scope, depth: number): Pattern {
    const branches = this.chance.times(2, 3, () => {
      const inner = new Scope(scope.graph, scope);
      return { inner, where: this.where(inner, depth - 1) };
    });
    for (const { inner } of branches) scope.merge(inner);
    return { pattern: 'union', branches: branches.map(({ where }) => where) };
  }

  #graph(scope: Scope, depth: number): Pattern {
    const full = this.source.namedGraphs.filter((graph) => this.#quadsIn(graph).length > 0);
    const name = this.chance.among(full.length > 0 && this.chance.in(0.95) ? full : TERMS.graphs);
    const inner = new Scope(name, scope);
    const graph = this.chance.in(0.5) ? name : this.#variable(name, scope);
    if (graph !== name) inner.bind(graph, 'stored', name);
    const where = this.where(inner, depth);
    if (graph !== name) inner.bind(graph, 'stored', name);
    scope.merge(inner);
    return { pattern: 'graph', graph, where };
  }

  #select(scope: Scope, depth: number): Pattern {
    const inner = new Scope(scope.graph, scope);
    const select: Select = makeSelect(this, inner, depth);
    scope.merge(inner, select.columns === '*' ? inner.visible : select.columns.map(({ name }) => name));
    return { pattern: 'select', select };
  }

  #bind(scope: Scope): Pattern {
    const { value, kind } = this.expressions.value(scope);
    const as = this.names.next('c');
    scope.bind(as, kind);
    return { pattern: 'bind', value, as };
  }

  #values(scope: Scope): Pattern {
    const known = scope.variables('stored').filter((variable) => scope.witness.has(variable));
    const variables = [
      ...new Set(this.chance.times(1, 2, () => (known.length > 0 ? this.chance.among(known) : this.names.next('v')))),
    ];
    const witness = variables.map((variable) => scope.witness.get(variable) ?? 'UNDEF').map(constantOrUndef);
    const row = (): TermText[] =>
      variables.map((_, i) =>
        this.chance.weighted([
          [2, witness[i]!],
          [1, 'UNDEF'],
          [2, this.#anyConstant()],
        ]),
      );
    const rows = this.chance.shuffled([...(this.chance.in(0.85) ? [witness] : []), ...this.chance.times(0, 2, row)]);
    for (const variable of variables) scope.bind(variable, 'stored', scope.witness.get(variable));
    return { pattern: 'values', variables, rows };
  }

  #anyConstant(): TermText {
    const constant = constantOrUndef(this.chance.among(this.chance.among(this.source.data).slice(0, 3)));
    return constant === 'UNDEF' ? randomLiteral(this.chance) : constant;
  }

  #quadsIn(graph: TermText): readonly QuadText[] {
    const graphs = graph === '' ? this.source.defaultGraphs : [graph];
    return this.source.data.filter((quad) => graphs.includes(quad[3]));
  }

  /** Some triple patterns that share terms. */
  triples(scope: Scope): Pattern & { pattern: 'triples' } {
    const quads = this.#quadsIn(scope.graph);
    const label = this.chance.in(0.06) ? this.names.next('u').replace('?u', this.labels) : undefined;
    const triples: Triple[] = [];
    for (
      let left = this.chance.weighted([
        [5, 1],
        [4, 2],
        [1.5, 3],
      ]);
      left > 0;
      left--
    ) {
      const joined = quads.filter((quad) =>
        [...scope.witness].some(([name, term]) => scope.visible.has(name) && (quad[0] === term || quad[2] === term)),
      );
      const from = joined.length > 0 && this.chance.in(0.85) ? joined : quads.length > 0 ? quads : this.source.data;
      triples.push(this.#triple(this.chance.among(from), scope, label));
    }
    return { pattern: 'triples', triples };
  }

  #triple([s, p, o]: QuadText, scope: Scope, label: TermText | undefined): Triple {
    if (TERMS.links.includes(p) && this.chance.in(0.22)) {
      const { path, swapped } = randomPath(this.chance, p);
      const [from, to] = swapped ? [o, s] : [s, o];
      return [this.#abstract(from, scope, 0.75, label), path, this.#abstract(to, scope, 0.75, label)];
    }
    const subject = this.#abstract(s, scope, 0.8, label);
    const predicate = this.#abstract(p, scope, 0.12);
    return [subject, predicate, this.#abstract(o, scope, 0.8, label)];
  }

  /** The term, or a variable in its place. */
  #abstract(term: TermText, scope: Scope, share: number, label?: TermText): TermText {
    if (isTripleTerm(term) && this.chance.in(0.6)) return this.#abstractTriple(term, scope);
    if (!mustBeVariable(term) && !this.chance.in(share)) return term;
    if (label !== undefined && this.chance.in(0.3)) return label;
    const variable = this.#variable(term, scope);
    scope.bind(variable, scope.kinds.get(variable) ?? 'stored', scope.witness.get(variable) ?? term);
    return variable;
  }

  #abstractTriple(term: TermText, scope: Scope): TermText {
    const [, subject, predicate, object] = SPLIT_TRIPLE.exec(term)!;
    const parts = [subject!, predicate!, object!].map((part, i) => this.#abstract(part, scope, i === 1 ? 0.15 : 0.6));
    return tripleText(parts[0]!, parts[1]!, parts[2]!);
  }

  // Mostly one that has this value already.
  #variable(term: TermText, scope: Scope): TermText {
    const same = [...scope.witness].filter(([name, value]) => value === term && scope.kinds.get(name) === 'stored');
    if (same.length > 0 && this.chance.in(0.8)) return this.chance.among(same)[0];
    const known = scope.variables('stored', 'integer', 'text');
    if (known.length > 0 && this.chance.in(0.04)) return this.chance.among(known);
    return this.names.next('v');
  }

  /** Conditions that let only IRIs through: with them an order by all variables is total. */
  onlyIris(variables: readonly TermText[]): Pattern[] {
    return variables.map((variable) => ({ pattern: 'filter', condition: call('isIRI', termOf(variable)) }));
  }
}

const mustBeVariable = (term: TermText): boolean => isBlank(term) || term.includes('_:');
const constantOrUndef = (term: TermText): TermText => (term === '' || mustBeVariable(term) ? 'UNDEF' : term);
