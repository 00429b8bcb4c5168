/** Whether a text has a form in UTF-8, that is, no lone surrogates. */

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The platform's own method, where there is one: for most strings it needs no look at their characters. */
interface MaybeWellFormed {
  isWellFormed?(): boolean;
}

export const isWellFormed: (text: string) => boolean =
  typeof (String.prototype as MaybeWellFormed).isWellFormed === 'function'
    ? (text) => (text as MaybeWellFormed).isWellFormed!()
    : (text) => !LONE_SURROGATE.test(text);
