/** The header `Silent`: the client does not mind that what it names is not there. */
import type { Context } from 'hono';

export const isSilent = (context: Context): boolean => /^(?:true|1)$/i.test(context.req.header('Silent')?.trim() ?? '');
