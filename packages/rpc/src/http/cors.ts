/** What web pages may use of the endpoint. */
import { preflightFields } from '@quadrille/http';

export const EXPOSED = 'Request-Id, Client-Request-Id, Retry-After';
export const PREFLIGHT = preflightFields('POST, OPTIONS', 'Authorization, Content-Type, Accept, Client-Request-Id');
