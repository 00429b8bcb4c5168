/**
 * The stack of open constructs in a Turtle document: a statement, and the brackets within it. The frames are numbers on an explicit
 * stack. Deep nesting therefore needs no deep recursion, and a document can be cut anywhere.
 */
import type { TermHandle } from '@quadrille/model';

/** Kinds of frames. */
export const STATEMENT = 0;
/** `[ … ]` */
export const PROPERTIES = 1;
/** `( … )` */
export const LIST = 2;
/** `<<( … )>>` */
export const TRIPLE_TERM = 3;
/** `<< … >>` */
export const REIFIED_TRIPLE = 4;
/** `{| … |}` */
export const ANNOTATION = 5;

/** The next token that a frame expects. */
export const A_STATEMENT = 0;
/** The predicate. In TriG also the `{` of a graph, after its name. */
export const VERB_OR_GRAPH = 1;
export const VERB = 2;
/** The token behind a subject that is a complete statement. */
export const VERB_OR_END = 3;
/** The token behind `;`. */
export const VERB_OR_SEMICOLON_OR_END = 4;
export const OBJECT = 5;
export const BEHIND_OBJECT = 6;
/** An item of a list, or the end of the list. */
export const ITEM = 7;
/** The subject of a triple term or of a reified triple. */
export const INNER_SUBJECT = 8;
export const END_OF_TRIPLE_TERM = 9;
export const TILDE_OR_END_OF_REIFIED = 10;
/** The token behind `~` in `<< … >>`. */
export const REIFIER_OR_END_OF_REIFIED = 11;
export const END_OF_REIFIED = 12;
/** The token behind an object and `~`. */
export const REIFIER_OR_NOTHING = 13;
export const GRAPH_NAME = 14;
export const GRAPH_OPEN = 15;
export const PREFIX = 16;
export const PREFIX_IRI = 17;
export const BASE_IRI = 18;
export const VERSION = 19;
export const END_OF_DIRECTIVE = 20;

/** Count of numbers that one frame takes on the stack. */
const SIZE = 6;

/** The stack. The innermost frame is on top. */
export class TurtleFrames {
  kind = STATEMENT;
  expects = A_STATEMENT;
  /** First cell of a list. */
  subject: TermHandle = 0;
  predicate: TermHandle = 0;
  /** Last cell of a list. */
  object: TermHandle = 0;
  /** The reifier of the last triple, if it has one. */
  reifier: TermHandle = 0;
  /** Number of enclosing frames. */
  depth = 0;
  readonly #outer: number[] = [];

  open(kind: number, expects: number, subject: TermHandle): void {
    const at = this.depth++ * SIZE;
    const outer = this.#outer;
    outer[at] = this.kind;
    outer[at + 1] = this.expects;
    outer[at + 2] = this.subject;
    outer[at + 3] = this.predicate;
    outer[at + 4] = this.object;
    outer[at + 5] = this.reifier;
    this.kind = kind;
    this.expects = expects;
    this.subject = subject;
    this.predicate = 0;
    this.object = 0;
    this.reifier = 0;
  }

  close(): void {
    const at = --this.depth * SIZE;
    const outer = this.#outer;
    this.kind = outer[at]!;
    this.expects = outer[at + 1]!;
    this.subject = outer[at + 2]!;
    this.predicate = outer[at + 3]!;
    this.object = outer[at + 4]!;
    this.reifier = outer[at + 5]!;
  }
}
