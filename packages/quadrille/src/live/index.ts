/** Answers that are followed or compared: loaded with the first of them. */
export { comparedAnswers } from './answer-diff.js';
export { answerSource } from './answer-source.js';
export { liveAnswers } from './live-answers.js';
