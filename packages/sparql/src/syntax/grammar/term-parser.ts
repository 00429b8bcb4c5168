/** Terms: IRIs, literals, variables and blank nodes. */
import type * as RDF from '@rdfjs/types';
import { iri, RDF_NS, XSD } from '@quadrille/model';
import { makeVariable, termFactory } from '../../algebra/terms.js';
import { unescape, unescapeLocal, unquote } from '../lexer/escapes.js';
import type { Token } from '../lexer/tokens.js';
import { BlankLabels } from './blank-labels.js';
import { Names } from './names.js';
import { Prologue, type PrologueOptions } from './prologue.js';
import { TokenReader } from './token-reader.js';

const BOOLEAN = iri(`${XSD}boolean`);
const NUMBERS = { integer: iri(`${XSD}integer`), decimal: iri(`${XSD}decimal`), double: iri(`${XSD}double`) };
export const NIL = iri(`${RDF_NS}nil`);
export const TYPE = iri(`${RDF_NS}type`);

/** What terms and triples may be in a part of a request. */
export interface TermRules {
  /** What it is called in errors. */
  readonly name: string;
  readonly variables: boolean;
  /**
   * `pattern`: they are variables, and their labels belong to one basic graph pattern. `template`: they are variables whose names begin
   * with `_:`. `data`: the same, and their labels belong to one operation. `none`: there may be none.
   */
  readonly blankNodes: 'pattern' | 'template' | 'data' | 'none';
  readonly paths: boolean;
}

export const PATTERN: TermRules = { name: 'a pattern', variables: true, blankNodes: 'pattern', paths: true };

export abstract class TermParser extends TokenReader {
  protected readonly prologue: Prologue;
  protected readonly names: Names;
  protected readonly patternLabels = new BlankLabels();
  protected readonly dataLabels = new BlankLabels();
  protected rules = PATTERN;
  /** The variables of the text that the group which is being read has so far. */
  protected scope = new Set<string>();
  /** Blank nodes in templates that have no label. */
  #blanks = 0;

  /**
   * `taken`: names that no variable of the algebra may have. `origins`: gets the offset of each IRI, string and number, which
   * have a term each then.
   */
  constructor(
    text: string,
    options: PrologueOptions,
    taken?: ReadonlySet<string>,
    protected readonly origins?: Map<RDF.Term, number>,
  ) {
    super(text);
    this.prologue = new Prologue(options);
    this.names = new Names(taken);
  }

  protected get isIri(): boolean {
    const { token } = this.lexer;
    return token === 'iri' || token === 'name';
  }

  protected iri(expected = 'an IRI'): RDF.NamedNode {
    const { token, value, start } = this.lexer;
    if (!this.isIri) this.fail(expected);
    const term =
      this.prologue.known(value) ?? (token === 'iri' ? this.#iriReference(value) : this.#prefixedName(value));
    this.advance();
    return this.origins === undefined ? term : this.#noted(iri(term.value), start);
  }

  #noted<T extends RDF.Term>(term: T, start: number): T {
    this.origins?.set(term, start);
    return term;
  }

  #iriReference(token: string): RDF.NamedNode {
    const reference = this.iriText();
    return this.prologue.term(token, reference) ?? this.refuseRelative(reference);
  }

  /** What stands between `<` and `>`. */
  protected iriText(): string {
    const raw = this.lexer.value.slice(1, -1);
    return this.lexer.escaped ? unescape(raw) : raw;
  }

  protected refuseRelative(reference: string): never {
    const reason = this.prologue.baseIRI === undefined ? 'there is no BASE' : 'with its base it is no legal IRI';
    return this.refuse(`the relative IRI ${reference} cannot be resolved: ${reason}`);
  }

  #prefixedName(token: string): RDF.NamedNode {
    const { start, colon, escaped } = this.lexer;
    const prefix = token.slice(0, colon - start);
    const namespace = this.prologue.namespace(prefix);
    if (namespace === undefined) this.refuse(`the prefix ${prefix}: is not declared`, start, prefix);
    this.prologue.used.set(prefix, namespace);
    const local = token.slice(colon - start + 1);
    const reference = namespace + (escaped ? unescapeLocal(local) : local);
    return this.prologue.term(token, reference) ?? this.refuseRelative(reference);
  }

  protected variable(expected = 'a variable'): RDF.Variable {
    if (this.lexer.token !== 'variable') this.fail(expected);
    const variable = this.names.variable(this.lexer.value.slice(1));
    this.advance();
    return variable;
  }

  /** A variable that the group binds, or an IRI. */
  protected variableOrIri(): RDF.Variable | RDF.NamedNode {
    return this.lexer.token === 'variable' ? this.#boundVariable() : this.iri('a variable or an IRI');
  }

  #boundVariable(): RDF.Variable {
    if (!this.rules.variables) this.refuse(`unexpected '${this.lexer.value}': ${this.rules.name} holds no variables`);
    const variable = this.variable();
    this.scope.add(variable.value);
    return variable;
  }

  /** The term that the token is, or begins; `undefined` for what consists of other terms, and for what is no term. */
  protected simpleTerm(): RDF.Term | undefined {
    switch (this.lexer.token) {
      case 'variable':
        return this.#boundVariable();
      case 'iri':
      case 'name':
        return this.iri();
      case 'blank':
        return this.#labelled();
      case '[]': {
        const node = this.newBlankNode();
        this.advance();
        return node;
      }
      case '()':
        this.advance();
        return NIL;
      default:
        return this.literal();
    }
  }

  /** A literal, if the token begins one. */
  protected literal(): RDF.Literal | undefined {
    const { token, value, start } = this.lexer;
    switch (token) {
      case 'string':
        return this.#noted(this.#stringLiteral(), start);
      case 'integer':
      case 'decimal':
      case 'double':
        this.advance();
        return this.#noted(this.number(value, token), start);
      case 'TRUE':
      case 'FALSE':
        this.advance();
        return termFactory.literal(token === 'TRUE' ? 'true' : 'false', BOOLEAN);
      default:
        return undefined;
    }
  }

  protected number(text: string, token: Token): RDF.Literal {
    return termFactory.literal(text, NUMBERS[token as keyof typeof NUMBERS]);
  }

  #stringLiteral(): RDF.Literal {
    const value = this.string();
    if (this.lexer.token === 'tag') return this.#languageLiteral(value);
    return this.take('^^') ? termFactory.literal(value, this.iri()) : termFactory.literal(value);
  }

  #languageLiteral(value: string): RDF.Literal {
    const tag = this.lexer.value.slice(1);
    const dashes = tag.indexOf('--');
    if (dashes === -1) {
      this.advance();
      return termFactory.literal(value, tag);
    }
    const direction = tag.slice(dashes + 2).toLowerCase();
    if (direction !== 'ltr' && direction !== 'rtl') {
      this.refuse(`unknown base direction '${tag.slice(dashes + 2)}': it is ltr or rtl`);
    }
    this.advance();
    return termFactory.literal(value, { language: tag.slice(0, dashes), direction });
  }

  protected string(): string {
    if (this.lexer.token !== 'string') this.fail('a string');
    const { value, escaped } = this.lexer;
    this.advance();
    return unquote(value, escaped);
  }

  // ── Blank nodes ─────────────────────────────────────────────────────────────────────────────────────────────────

  #labelled(): RDF.Term {
    const label = this.lexer.value.slice(2);
    const { blankNodes } = this.rules;
    if (blankNodes === 'none') this.refuseBlankNode();
    if (blankNodes === 'pattern' && !this.patternLabels.use(label)) {
      this.refuse(`the blank node _:${label} stands in another basic graph pattern already: use a variable`);
    }
    if (blankNodes === 'data' && !this.dataLabels.use(label)) {
      this.refuse(`the blank node _:${label} stands in another operation already`);
    }
    this.advance();
    return blankNodes === 'pattern' ? this.names.blank(label) : makeVariable(`_:e_${label}`);
  }

  protected newBlankNode(): RDF.Variable {
    const { blankNodes } = this.rules;
    if (blankNodes === 'none') this.refuseBlankNode();
    return blankNodes === 'pattern' ? this.names.blank() : makeVariable(`_:g_${this.#blanks++}`);
  }

  protected refuseBlankNode(): never {
    return this.refuse(`unexpected '${this.lexer.value}': ${this.rules.name} holds no blank nodes`);
  }
}
