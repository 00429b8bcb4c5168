/** The header `Silent`: the client does not mind that what it names is not there. */
import type { Context } from '../context.js';

export const isSilent = (context: Context): boolean => /^(?:true|1)$/i.test(context.header('Silent')?.trim() ?? '');
