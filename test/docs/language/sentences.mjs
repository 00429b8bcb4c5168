/** Sentences: where they end, and how many words they have. */

/** A sentence of more words is refused. */
export const LONGEST = 25;

/**
 * Splits running text into sentences. A colon or a semicolon ends one too, because a reader rests there.
 * @param {string} text code must already stand as one word
 * @returns {string[]}
 */
export const sentencesOf = (text) =>
  text
    .split(/(?<=[.!?:;])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** @param {string} sentence */
export const countWords = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
