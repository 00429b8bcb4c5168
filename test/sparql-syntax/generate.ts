/** Random requests, made by the productions of the grammar of SPARQL 1.2: lists of tokens. */
import { Chance } from '../sparql-random/chance.js';
import { AGGREGATES, FUNCTIONS } from '../../packages/sparql/src/syntax/lexer/tokens.js';

type Tokens = string[];

const VARIABLES = ['?s', '?p', '?o', '$x', '?a1', '?var0', '?é'];
const IRIS = [
  '<http://e/a>',
  '<urn:b>',
  '<c/d>',
  '<>',
  '<#f>',
  '<\\u0061:\\U00000062>',
  'ex:a',
  ':',
  ':x',
  'ex:',
  'a.b:c',
  'ex:%41',
];
const NAMES = ['ex:a.b', 'ex:1-2', 'ex:a\\,b', 'ex:a:b', 'ex:é', 'xsd:integer'];
const LABELS = ['_:a', '_:b.c', '_:1', '_:é'];
const STRINGS = ['"a"', "'b'", '""', "''", '"""c"d\n"""', "'''e'f\\n'''", '"\\t\\"\\u0041"', '"é\u{1F600}"'];
const TAGS = ['@en', '@en-GB', '@ar--rtl', '@EN--ltr'];
const NUMBERS = ['1', '0', '12.5', '1e3', '1.5E-2', '1.e0', '+1', '-2', '+1.5', '-1e1'];
const INFIX = ['||', '&&', '=', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/'];
const SILENT = [[], [], ['SILENT']];

export class RequestMaker {
  #names = 0;

  constructor(private readonly chance: Chance) {}

  request(): Tokens {
    return [...this.#prologue(), ...(this.chance.in(0.75) ? this.#query() : this.#update())];
  }

  // ── Small parts ─────────────────────────────────────────────────────────────────────────────────────────────────

  #many(least: number, most: number, make: () => Tokens): Tokens {
    return this.chance.times(least, most, make).flat();
  }

  #maybe(share: number, make: () => Tokens): Tokens {
    return this.chance.in(share) ? make() : [];
  }

  #separated(least: number, most: number, separator: string, make: () => Tokens): Tokens {
    return this.chance
      .times(least, most, make)
      .flatMap((tokens, index) => (index === 0 ? tokens : [separator, ...tokens]));
  }

  #iri(): Tokens {
    return [this.chance.among(this.chance.in(0.7) ? IRIS : NAMES)];
  }

  /** Mostly one that stands nowhere else: the scopes of labels and of AS are narrow. */
  #label(): string {
    return this.chance.in(0.1) ? this.chance.among(LABELS) : `_:l${String(this.#names++)}`;
  }

  #newVariable(): string {
    return this.chance.in(0.1) ? this.chance.among(VARIABLES) : `?n${String(this.#names++)}`;
  }

  #variable(): Tokens {
    return [this.chance.among(VARIABLES)];
  }

  #variableOrIri(): Tokens {
    return this.chance.in(0.5) ? this.#variable() : this.#iri();
  }

  #literal(): Tokens {
    return this.chance.weighted([
      [3, () => [this.chance.among(STRINGS)]],
      [1, () => [this.chance.among(STRINGS), this.chance.among(TAGS)]],
      [1, () => [this.chance.among(STRINGS), '^^', ...this.#iri()]],
      [3, () => [this.chance.among(NUMBERS)]],
      [1, () => [this.chance.among(['true', 'false', 'TRUE'])]],
    ])();
  }

  // ── Triples ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** `none`: neither variables nor blank nodes. */
  #term(kind: 'pattern' | 'data' | 'none'): Tokens {
    return this.chance.weighted([
      [kind === 'pattern' ? 6 : 0, () => this.#variable()],
      [4, () => this.#iri()],
      [2, () => this.#literal()],
      [kind === 'none' ? 0 : 1, () => [this.#label()]],
      [kind === 'none' ? 0 : 1, () => ['[]']],
      [0.5, () => ['()']],
    ])();
  }

  #node(depth: number, kind: 'pattern' | 'data' | 'none'): Tokens {
    if (depth <= 0 || kind === 'none') return this.#term(kind);
    return this.chance.weighted([
      [8, () => this.#term(kind)],
      [1, () => ['(', ...this.#many(1, 3, () => this.#node(depth - 1, kind)), ')']],
      [1, () => ['[', ...this.#properties(depth - 1, kind), ']']],
      [0.6, () => this.#reified(depth - 1, kind)],
      [0.6, () => this.#tripleTerm(depth - 1, kind)],
    ])();
  }

  #tripleTerm(depth: number, kind: 'pattern' | 'data' | 'none'): Tokens {
    const member = (): Tokens =>
      depth > 0 && this.chance.in(0.3) ? this.#tripleTerm(depth - 1, kind) : this.#member(kind);
    return ['<<(', ...member(), ...this.#verb(kind), ...member(), ')>>'];
  }

  #reified(depth: number, kind: 'pattern' | 'data' | 'none'): Tokens {
    const member = (): Tokens =>
      depth > 0 && this.chance.in(0.3) ? this.#reified(depth - 1, kind) : this.#member(kind);
    return ['<<', ...member(), ...this.#verb(kind), ...member(), ...this.#maybe(0.3, () => this.#reifier(kind)), '>>'];
  }

  #member(kind: 'pattern' | 'data' | 'none'): Tokens {
    const term = this.#term(kind);
    return term[0] === '()' ? this.#iri() : term;
  }

  #reifier(kind: 'pattern' | 'data' | 'none'): Tokens {
    return ['~', ...this.#maybe(0.7, () => (kind === 'pattern' ? this.#variableOrIri() : this.#iri()))];
  }

  #verb(kind: 'pattern' | 'data' | 'none'): Tokens {
    return this.chance.in(0.2) ? ['a'] : kind === 'pattern' ? this.#variableOrIri() : this.#iri();
  }

  #properties(depth: number, kind: 'pattern' | 'data' | 'none', paths = false): Tokens {
    const property = (): Tokens => {
      const isPath = paths && this.chance.in(0.3);
      const verb = isPath ? this.#path(2) : this.#verb(kind);
      const objects = this.#separated(1, 2, ',', () => [
        ...this.#node(depth, kind),
        ...this.#maybe(isPath ? 0.02 : 0.06, () => this.#annotation(depth, kind)),
      ]);
      return [...verb, ...objects];
    };
    return [...this.#separated(1, 2, ';', property), ...this.#maybe(0.05, () => [';'])];
  }

  #annotation(depth: number, kind: 'pattern' | 'data' | 'none'): Tokens {
    return this.#many(1, 2, () =>
      this.chance.in(0.5) ? this.#reifier(kind) : ['{|', ...this.#properties(depth - 1, kind), '|}'],
    );
  }

  #triples(depth: number, kind: 'pattern' | 'data' | 'none', paths = false): Tokens {
    const triple = (): Tokens => {
      const subject = this.#node(depth - 1, kind);
      const standsAlone = ['(', '[', '<<'].includes(subject[0]!) && this.chance.in(0.3);
      return standsAlone ? subject : [...subject, ...this.#properties(depth, kind, paths)];
    };
    return [...this.#separated(0, 3, '.', triple), ...this.#maybe(0.3, () => ['.'])];
  }

  #path(depth: number): Tokens {
    if (depth <= 0) return this.chance.in(0.2) ? ['a'] : this.#iri();
    const part = (): Tokens => this.#path(depth - 1);
    return this.chance.weighted([
      [2, () => this.#iri()],
      [1, () => ['^', ...this.#iri()]],
      [1, () => ['(', ...part(), ')', ...this.#maybe(0.5, () => [this.chance.among(['*', '+', '?'])])]],
      [1, () => [...this.#iri(), this.chance.among(['*', '+', '?'])]],
      [1, () => this.#separated(2, 3, '/', () => this.#iri())],
      [1, () => this.#separated(2, 3, '|', () => this.#iri())],
      [1, () => ['!', ...this.#maybe(0.2, () => ['^']), ...this.#iri()]],
      [
        1,
        () => ['!', '(', ...this.#separated(1, 3, '|', () => [...this.#maybe(0.3, () => ['^']), ...this.#iri()]), ')'],
      ],
    ])();
  }

  // ── Expressions ─────────────────────────────────────────────────────────────────────────────────────────────────

  #expression(depth: number, aggregates = false): Tokens {
    const part = (): Tokens => this.#expression(depth - 1, aggregates);
    if (depth <= 0) return this.chance.in(0.6) ? this.#variable() : this.chance.in(0.7) ? this.#literal() : this.#iri();
    return this.chance.weighted([
      [3, () => this.#expression(0)],
      [3, () => [...part(), this.chance.among(INFIX), ...part()]],
      [1, () => ['(', ...part(), ')']],
      [1, () => [this.chance.among(['!', '-', '+']), ...part()]],
      [1, () => [...part(), ...this.#maybe(0.5, () => ['NOT']), 'IN', ...this.#list(0, 3, part)]],
      [2, () => this.#call(depth, aggregates)],
      [aggregates ? 2 : 0.05, () => this.#aggregate(depth)],
      [0.3, () => this.#tripleTermExpression()],
    ])();
  }

  #list(least: number, most: number, part: () => Tokens): Tokens {
    const parts = this.#separated(least, most, ',', part);
    return parts.length === 0 ? ['()'] : ['(', ...parts, ')'];
  }

  #call(depth: number, aggregates = false): Tokens {
    const part = (): Tokens => this.#expression(depth - 1, aggregates);
    return this.chance.weighted([
      [4, () => this.#functionCall(part)],
      [1, () => [...this.#iri(), ...this.#list(0, 2, part)]],
      [1, () => ['BOUND', '(', ...this.#variable(), ')']],
      [0.5, () => [...this.#maybe(0.5, () => ['NOT']), 'EXISTS', ...this.#group(depth - 1)]],
    ])();
  }

  #functionCall(part: () => Tokens): Tokens {
    const [name, [least, most]] = this.chance.among(Object.entries(FUNCTIONS) as [string, readonly [number, number]][]);
    const parts = this.#separated(least, Math.min(most, least + 2), ',', part);
    const spelt = this.chance.in(0.3) ? name.toLowerCase() : name;
    return parts.length === 0 ? [spelt, '()'] : [spelt, '(', ...parts, ')'];
  }

  #aggregate(depth: number): Tokens {
    const name = this.chance.among(Object.keys(AGGREGATES));
    const isStar = name === 'COUNT' && this.chance.in(0.4);
    const argument = isStar ? ['*'] : this.#expression(depth - 1);
    const separator =
      name === 'GROUP_CONCAT' ? this.#maybe(0.5, () => [';', 'SEPARATOR', '=', this.chance.among(STRINGS)]) : [];
    return [name, '(', ...this.#maybe(0.3, () => ['DISTINCT']), ...argument, ...separator, ')'];
  }

  #tripleTermExpression(): Tokens {
    const object = this.chance.in(0.5) ? this.#literal() : this.#variableOrIri();
    return ['<<(', ...this.#variableOrIri(), ...this.#verb('pattern'), ...object, ')>>'];
  }

  #constraint(aggregates = false): Tokens {
    return this.chance.in(0.6) ? ['(', ...this.#expression(2, aggregates), ')'] : this.#call(2, aggregates);
  }

  // ── Groups ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #group(depth: number): Tokens {
    if (depth > 0 && this.chance.in(0.08)) return ['{', ...this.#select(depth - 1, false), '}'];
    const element = (): Tokens => [
      ...this.#element(depth),
      ...this.#maybe(0.3, () => ['.']),
      ...this.#triples(1, 'pattern', true),
    ];
    return ['{', ...this.#triples(2, 'pattern', true), ...this.#many(0, depth > 0 ? 2 : 0, element), '}'];
  }

  #element(depth: number): Tokens {
    const group = (): Tokens => this.#group(depth - 1);
    return this.chance.weighted([
      [3, () => ['FILTER', ...this.#constraint()]],
      [2, () => ['OPTIONAL', ...group()]],
      [1, () => ['MINUS', ...group()]],
      [2, () => this.#separated(1, 3, 'UNION', group)],
      [1, () => ['GRAPH', ...this.#variableOrIri(), ...group()]],
      [1, () => ['SERVICE', ...this.chance.among(SILENT), ...this.#variableOrIri(), ...group()]],
      [2, () => ['BIND', '(', ...this.#expression(2), 'AS', this.#newVariable(), ')']],
      [1, () => this.#values()],
    ])();
  }

  #values(): Tokens {
    const value = (): Tokens =>
      this.chance.weighted([
        [2, () => this.#iri()],
        [2, () => this.#literal()],
        [1, () => ['UNDEF']],
        [0.5, () => ['<<(', ...this.#iri(), ...this.#iri(), ...this.#literal(), ')>>']],
      ])();
    if (this.chance.in(0.4)) return ['VALUES', ...this.#variable(), '{', ...this.#many(0, 3, value), '}'];
    const names = this.chance.shuffled(VARIABLES).slice(0, this.chance.below(3));
    if (names.length === 0) return ['VALUES', '()', '{', ...this.#many(0, 2, () => ['()']), '}'];
    const row = (): Tokens => ['(', ...this.#many(names.length, names.length, value), ')'];
    return ['VALUES', '(', ...names, ')', '{', ...this.#many(0, 2, row), '}'];
  }

  // ── Queries ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #prologue(): Tokens {
    return this.#many(0, 2, () =>
      this.chance.weighted([
        [
          3,
          () => [
            'PREFIX',
            this.chance.among(['ex:', ':', 'a.b:', 'p:']),
            this.chance.among(['<http://f/>', '<g>', '<urn:h:>']),
          ],
        ],
        [1, () => ['BASE', this.chance.among(['<http://base/x/y>', '<z/>'])]],
        [0.5, () => ['VERSION', this.chance.among(['"1.2"', "'1.1'"])]],
      ])(),
    );
  }

  #query(): Tokens {
    return this.chance.weighted([
      [5, () => this.#select(3, true)],
      [1, () => ['ASK', ...this.#dataset(), ...this.#where(2), ...this.#modifiers(false)]],
      [
        1,
        () => [
          'DESCRIBE',
          ...this.#described(),
          ...this.#dataset(),
          ...this.#maybe(0.7, () => this.#where(2)),
          ...this.#modifiers(false),
        ],
      ],
      [
        1,
        () => [
          'CONSTRUCT',
          '{',
          ...this.#triples(2, 'pattern'),
          '}',
          ...this.#dataset(),
          ...this.#where(2),
          ...this.#modifiers(false),
        ],
      ],
      [
        0.5,
        () => [
          'CONSTRUCT',
          ...this.#dataset(),
          'WHERE',
          '{',
          ...this.#triples(2, 'pattern'),
          '}',
          ...this.#modifiers(false),
        ],
      ],
    ])();
  }

  #described(): Tokens {
    return this.chance.in(0.3) ? ['*'] : this.#many(1, 2, () => this.#variableOrIri());
  }

  #dataset(): Tokens {
    return this.#many(0, this.chance.in(0.2) ? 2 : 0, () => [
      'FROM',
      ...this.#maybe(0.5, () => ['NAMED']),
      ...this.#iri(),
    ]);
  }

  #where(depth: number): Tokens {
    return [...this.#maybe(0.5, () => ['WHERE']), ...this.#group(depth)];
  }

  #select(depth: number, isTop: boolean): Tokens {
    const grouped = this.chance.in(0.3);
    const column = (): Tokens =>
      this.chance.weighted([
        [3, () => this.#variable()],
        [2, () => ['(', ...this.#expression(2, grouped), 'AS', this.#newVariable(), ')']],
        [0.2, () => this.#aggregate(1)],
      ])();
    const columns = !grouped && this.chance.in(0.5) ? ['*'] : this.#many(1, 3, column);
    const unique = this.chance.among([[], [], ['DISTINCT'], ['REDUCED']]);
    return [
      'SELECT',
      ...unique,
      ...columns,
      ...(isTop ? this.#dataset() : []),
      ...this.#where(depth),
      ...this.#modifiers(grouped),
    ];
  }

  #modifiers(grouped: boolean): Tokens {
    const key = (): Tokens =>
      this.chance.weighted([
        [3, () => this.#variable()],
        [1, () => this.#call(1)],
        [1, () => ['(', ...this.#expression(1), ...this.#maybe(0.5, () => ['AS', this.#newVariable()]), ')']],
      ])();
    const order = (): Tokens =>
      this.chance.weighted([
        [2, () => this.#variable()],
        [1, () => this.#constraint(grouped)],
        [2, () => [this.chance.among(['ASC', 'DESC']), '(', ...this.#expression(1, grouped), ')']],
      ])();
    const number = (): string => this.chance.among(['0', '5', '10', '99999999999999999999']);
    const slices = this.chance.shuffled([
      this.#maybe(0.2, () => ['LIMIT', number()]),
      this.#maybe(0.2, () => ['OFFSET', number()]),
    ]);
    return [
      ...this.#maybe(grouped ? 0.8 : 0.03, () => ['GROUP', 'BY', ...this.#many(1, 2, key)]),
      ...this.#maybe(grouped ? 0.3 : 0.03, () => ['HAVING', ...this.#many(1, 2, () => this.#constraint(grouped))]),
      ...this.#maybe(0.2, () => ['ORDER', 'BY', ...this.#many(1, 2, order)]),
      ...slices.flat(),
      ...this.#maybe(0.08, () => this.#values()),
    ];
  }

  // ── Updates ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #update(): Tokens {
    return [
      ...this.#separated(0, 2, ';', () => [...this.#prologue(), ...this.#operation()]),
      ...this.#maybe(0.1, () => [';']),
    ];
  }

  #operation(): Tokens {
    const target = (): Tokens =>
      this.chance.in(0.4) ? ['GRAPH', ...this.#iri()] : [this.chance.among(['DEFAULT', 'NAMED', 'ALL'])];
    const graph = (): Tokens =>
      this.chance.in(0.3) ? ['DEFAULT'] : [...this.#maybe(0.5, () => ['GRAPH']), ...this.#iri()];
    const silent = (): Tokens => this.chance.among(SILENT);
    return this.chance.weighted([
      [2, () => ['INSERT', 'DATA', ...this.#quads('data')]],
      [2, () => ['DELETE', 'DATA', ...this.#quads('none')]],
      [1, () => ['DELETE', 'WHERE', ...this.#quads('pattern')]],
      [3, () => this.#modify()],
      [1, () => ['LOAD', ...silent(), ...this.#iri(), ...this.#maybe(0.5, () => ['INTO', 'GRAPH', ...this.#iri()])]],
      [1, () => [this.chance.among(['CLEAR', 'DROP']), ...silent(), ...target()]],
      [0.5, () => ['CREATE', ...silent(), 'GRAPH', ...this.#iri()]],
      [1, () => [this.chance.among(['ADD', 'MOVE', 'COPY']), ...silent(), ...graph(), 'TO', ...graph()]],
    ])();
  }

  #modify(): Tokens {
    const removes = this.chance.in(0.6);
    const adds = !removes || this.chance.in(0.6);
    return [
      ...this.#maybe(0.2, () => ['WITH', ...this.#iri()]),
      ...(removes ? ['DELETE', ...this.#quads(this.chance.in(0.8) ? 'none' : 'pattern')] : []),
      ...(adds ? ['INSERT', ...this.#quads('pattern')] : []),
      ...this.#many(0, this.chance.in(0.2) ? 2 : 0, () => [
        'USING',
        ...this.#maybe(0.5, () => ['NAMED']),
        ...this.#iri(),
      ]),
      'WHERE',
      ...this.#group(2),
    ];
  }

  #quads(kind: 'pattern' | 'data' | 'none'): Tokens {
    const inGraph = (): Tokens => [
      'GRAPH',
      ...(kind === 'pattern' ? this.#variableOrIri() : this.#iri()),
      '{',
      ...this.#triples(2, kind),
      '}',
      ...this.#maybe(0.3, () => ['.']),
      ...this.#triples(1, kind),
    ];
    return ['{', ...this.#triples(2, kind), ...this.#many(0, this.chance.in(0.4) ? 2 : 0, inGraph), '}'];
  }
}
