/**
 * A fault in the text, at an offset of the buffer. The parser makes a ParseError with line and column of it; so it is no Error
 * itself, which would cost a look at the stack wherever a token is cut.
 */
export class TermFault {
  /**
   * @param at where the fault is
   * @param reason what is wrong, for the message
   * @param seen the last byte that the fault depends on
   */
  constructor(
    readonly at: number,
    readonly reason: string,
    readonly seen = at,
  ) {}
}
