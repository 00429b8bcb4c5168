/** The keywords and functions that a misspelled word may mean. */
import { ELEMENT_WORDS } from '../../algebra/algebra.js';
import { AGGREGATES, FUNCTIONS } from '../lexer/tokens.js';

export const FORMS =
  'SELECT CONSTRUCT ASK DESCRIBE PREFIX BASE INSERT DELETE WITH LOAD CLEAR CREATE DROP ADD MOVE COPY'.split(' ');
export const AFTER_SELECT = 'DISTINCT REDUCED FROM WHERE'.split(' ');
export const IN_GROUP: readonly string[] = [...ELEMENT_WORDS, 'SELECT', 'NOT', 'EXISTS', 'SILENT', 'UNDEF', 'AS'];
export const AFTER_GROUP =
  'WHERE FROM GROUP BY HAVING ORDER LIMIT OFFSET VALUES ASC DESC USING INSERT DELETE TO INTO DATA DEFAULT NAMED ALL'.split(
    ' ',
  );
export const FUNCTION_NAMES = [...Object.keys(AGGREGATES), ...Object.keys(FUNCTIONS), 'BOUND', 'EXISTS'];
