/** Whose account is meant where none is named. */
import { AccessError } from '@quadrille/model';
import { type Caller, isKnown } from '@quadrille/service';
import { RPC, RpcError } from '../rpc-error.js';

/** @throws AccessError `UNAUTHENTICATED`; RpcError for an operator, who has none */
export function ownAccount(caller: Caller): string {
  if (caller.account !== undefined) return caller.account;
  if (isKnown(caller)) throw new RpcError(RPC.INVALID_PARAMS, 'name an account: you are the operator and have none');
  throw new AccessError('UNAUTHENTICATED', 'credentials are needed here');
}
