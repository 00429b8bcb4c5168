/** Words that the lint of language refuses, each with what to write in its place. */

/**
 * Words that say nothing, that readers take for something else, or that are not the term of the field.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const EVERYWHERE = [
  [/\bthe way of an? \w+/i, '"How a … works"'],
  [/\b(?:dear|dearer) to\b/i, '"expensive to"'],
  [/\b(?:simply|obviously|of course|easily|just works)\b/i, 'nothing: the word says nothing'],
  [/\b(?:blazing|lightning|seamless|powerful|robust|cutting-edge|leverage|utili[sz]e)/i, 'a figure, or a plain word'],
  [/\bmisspelt\b/i, '"misspelled"'],
  [/\bwhich one may\b|\bone's own machine\b/i, '"you"'],
  [/\betc\.|\band so on\b|\band the like\b/i, 'the whole list, or an example with "such as"'],
  [/\be\.g\.|\bi\.e\./i, '"for example", "that is"'],
  [/\b[Ss]o many (?:of|rows|bytes|terms|quads|characters|words)\b/, 'the number, or its name'],
  [/^(?:That|Those) of\b/, 'the thing itself: "the budget of …"'],
  [/^So (?:often|few|much)\b/, 'the number, or its name'],
  [/\bhere and there\b/i, '"at random places", or the places'],
  [/\b(?:yonder|thereof|wherein|whereof|hitherto)\b/i, 'a plain word'],
  [/\bnext to nothing\b/i, 'the number'],
];

/** The past belongs in the changelog. Comments may speak of what ended a moment ago. */
const OF_DOCUMENTS = [[/\b(?:no longer|any more|not any longer)\b/i, 'what is so now; the changelog has the past']];

/**
 * @param {string} text one sentence
 * @param {boolean} document whether it stands in a document, not in a source file
 * @returns {string[]} one line for each word to avoid
 */
export function wordsToAvoid(text, document) {
  return [...EVERYWHERE, ...(document ? OF_DOCUMENTS : [])].flatMap(([word, better]) => {
    const found = word.exec(text);
    return found === null ? [] : [`"${found[0]}": write ${better}`];
  });
}
