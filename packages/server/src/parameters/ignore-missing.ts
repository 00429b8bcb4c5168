/** The header `Silent`: success, and not 404, where what the request names does not exist. */
import type { Context } from '../context.js';

export const ignoresMissing = (context: Context): boolean =>
  /^(?:true|1)$/i.test(context.header('Silent')?.trim() ?? '');
