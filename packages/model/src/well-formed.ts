/** Whether a text has no lone surrogates, so that UTF-8 can encode it. */

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The platform's own method, if it exists. It is faster: for most strings it does not look at the characters. */
interface MaybeWellFormed {
  isWellFormed?(): boolean;
}

/** Whether a text has no lone surrogates. */
export const isWellFormed: (text: string) => boolean =
  typeof (String.prototype as MaybeWellFormed).isWellFormed === 'function'
    ? (text) => (text as MaybeWellFormed).isWellFormed!()
    : (text) => !LONE_SURROGATE.test(text);
