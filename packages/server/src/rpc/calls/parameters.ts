/** Checks the parameters of a call and puts them into the order of the method. */
import type { RpcCall } from './call.js';
import type { Method, Parameter } from '../methods/method.js';
import { RPC, RpcError } from './rpc-error.js';
import type { RpcStruct, RpcValue } from './value.js';

type Value = string | boolean | readonly RpcValue[];

/**
 * By position or by name.
 * @throws RpcError for too many or too few, unknown names and wrong types
 */
export function valuesOf({ names: [method], parameters }: Method, params: RpcCall['params']): readonly Value[] {
  if (params === undefined) return parameters.map((parameter) => valueOf(parameter, undefined));
  if (isArray(params)) {
    if (params.length > parameters.length) {
      throw invalid(`${method} has ${counted(parameters.length)}, not ${String(params.length)}`);
    }
    return parameters.map((parameter, i) => valueOf(parameter, params[i]));
  }
  const unknown = Object.keys(params).find((name) => !parameters.some((parameter) => parameter.name === name));
  if (unknown !== undefined) throw invalid(`${method} has no parameter ${unknown.slice(0, 100)}`);
  return parameters.map((parameter) =>
    valueOf(parameter, Object.hasOwn(params, parameter.name) ? params[parameter.name] : undefined),
  );
}

const WORDS = { string: 'a string', boolean: 'a boolean', array: 'an array' } as const;

function valueOf({ name, type, optional }: Parameter, value: RpcValue | undefined): Value {
  if (value === undefined || value === null) {
    if (optional === true) return type === 'boolean' ? false : '';
    throw invalid(`the parameter ${name} is missing`);
  }
  if (type === 'string' && typeof value === 'string') return value;
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'array' && Array.isArray(value)) return value;
  throw invalid(`the parameter ${name} is ${WORDS[type]}`);
}

const isArray = (params: readonly RpcValue[] | RpcStruct): params is readonly RpcValue[] => Array.isArray(params);
const counted = (count: number): string => (count === 1 ? '1 parameter' : `${String(count)} parameters`);
const invalid = (message: string): RpcError => new RpcError(RPC.INVALID_PARAMS, message);
