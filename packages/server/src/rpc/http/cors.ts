/** The methods and headers that pages of other origins may use. */
import { preflightFields } from '../../http/index.js';

export const EXPOSED = 'Request-Id, Client-Request-Id, Retry-After';
export const PREFLIGHT = preflightFields('POST, OPTIONS', 'Authorization, Content-Type, Accept, Client-Request-Id');
