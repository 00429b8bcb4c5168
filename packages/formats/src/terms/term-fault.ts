/**
 * A fault at an offset of the buffer. The parser turns it into a ParseError with line and column. It is not an Error itself:
 * parsers throw it for every token that is cut, and an Error would capture the stack each time.
 */
export class TermFault {
  /**
   * @param at where the fault is
   * @param reason what is wrong, for the message
   * @param seen the last byte that the fault depends on
   * @param token where the IRI or the language tag begins that is not well formed, if it is one: behind it reading can go on
   */
  constructor(
    readonly at: number,
    readonly reason: string,
    readonly seen = at,
    readonly token?: number,
  ) {}
}
