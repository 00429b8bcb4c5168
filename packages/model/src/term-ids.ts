/**
 * The ranges of term ids. Frozen: these numbers are stored on disk (docs/reference/file-format.md).
 *
 *   0                       no term: an unbound position
 *   1                       the default graph
 *   2 … 7fff ffff           terms of a dictionary
 *   8000 0000 … bfff ffff   xsd:integer    -2^29 … 2^29 - 1
 *   c000 0000 … cfff ffff   xsd:decimal    in units of 0.0001, ±13421.7727; text with a point, no idle zeros ("1.0", "2.5")
 *   d000 0000 … d7ff ffff   xsd:date       days since 1970, years 0000 … 9999, without a time zone
 *   d800 0000, d800 0001    xsd:boolean    false, true
 *   f000 0000 … ffff ffff   terms that one query or transaction made
 *
 * Only a literal in canonical form is stored in its id, so every literal comes back as it was written. Within a range, ids are in
 * the order of their values.
 */

/** No term: an unbound position. */
export const UNBOUND = 0;
/** The default graph. */
export const DEFAULT_GRAPH = 1;
/** The first id that a dictionary gives. */
export const FIRST_TERM_ID = 2;
/** Ids from here on hold their value themselves. */
export const FIRST_INLINE_ID = 0x8000_0000;
/** Ids from here on are valid within one query or transaction. */
export const FIRST_LOCAL_ID = 0xf000_0000;

/** The id of 0. */
export const INTEGER_ZERO = 0xa000_0000;
/** Inline integers are -INTEGER_LIMIT … INTEGER_LIMIT - 1. */
export const INTEGER_LIMIT = 2 ** 29;
/** The least id of a decimal. */
export const DECIMAL_FIRST = 0xc000_0000;
/** The id of 0.0. */
export const DECIMAL_ZERO = 0xc800_0000;
/** Inline decimals count in units of 1 / DECIMAL_SCALE. */
export const DECIMAL_SCALE = 10_000;
/** Scaled inline decimals are within ±(DECIMAL_LIMIT - 1). */
export const DECIMAL_LIMIT = 2 ** 27;
/** The least id of a date. */
export const DATE_FIRST = 0xd000_0000;
/** The id of 1970-01-01. */
export const DATE_ZERO = 0xd400_0000;
/** The id of `false`. */
export const BOOLEAN_FALSE = 0xd800_0000;
/** The id of `true`. */
export const BOOLEAN_TRUE = 0xd800_0001;

/** Whether an id holds its value. */
export const isInline = (id: number): boolean => id >= FIRST_INLINE_ID && id < FIRST_LOCAL_ID;
/** Whether an id contains an integer. */
export const isInlineInteger = (id: number): boolean => id >= FIRST_INLINE_ID && id < DECIMAL_FIRST;
/** Whether an id contains a decimal. */
export const isInlineDecimal = (id: number): boolean => id >= DECIMAL_FIRST && id < DATE_FIRST;
/** Whether an id contains a date. */
export const isInlineDate = (id: number): boolean => id >= DATE_FIRST && id < BOOLEAN_FALSE;
/** Whether an id contains a boolean. */
export const isInlineBoolean = (id: number): boolean => id === BOOLEAN_FALSE || id === BOOLEAN_TRUE;
/** Terms that one query or transaction made. */
export const isLocal = (id: number): boolean => id >= FIRST_LOCAL_ID;

/** The id of an xsd:integer in its canonical text, or 0 where it is too large to be inlined. */
export const inlineInteger = (value: number): number =>
  value >= -INTEGER_LIMIT && value < INTEGER_LIMIT ? INTEGER_ZERO + value : 0;
/** The id of an xsd:decimal given in units of 1 / DECIMAL_SCALE, or 0. */
export const inlineDecimal = (scaled: number): number =>
  scaled > -DECIMAL_LIMIT && scaled < DECIMAL_LIMIT ? DECIMAL_ZERO + scaled : 0;
/** The id of a boolean. */
export const inlineBoolean = (value: boolean): number => (value ? BOOLEAN_TRUE : BOOLEAN_FALSE);
