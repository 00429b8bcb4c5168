/** What `/openapi.json` says of each operation, and whether an answer is as it says. */
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: Schema;
}
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly $ref?: string;
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}
interface Told {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}
interface Response {
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly takes: readonly (readonly [type: string, media: Media])[];
  readonly gives: readonly string[];
  readonly responses: ReadonlyMap<number, Response>;
}

export class Described {
  readonly operations: readonly Operation[];
  readonly #document: Record<string, unknown>;
  readonly #ajv = new Ajv2020.default({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.#document = document as Record<string, unknown>;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, 'openapi');
    const paths = this.#document['paths'] as Record<string, Record<string, Told>>;
    this.operations = Object.entries(paths).flatMap(([path, told]) =>
      Object.entries(told).map(([method, operation]) => this.#operation(path, method, operation)),
    );
  }

  /** The schema itself, where it is a reference. */
  resolved<T extends object>(value: T | { readonly $ref: string }): T {
    if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
    let at: unknown = this.#document;
    for (const name of value.$ref.slice(2).split('/')) at = (at as Record<string, unknown>)[name];
    return this.resolved(at as T);
  }

  /** What is wrong with an answer; `undefined` if it is as told. */
  fault(operation: Operation, status: number, contentType: string | null, body: Uint8Array): string | undefined {
    const told = operation.responses.get(status);
    if (told === undefined) return `the status ${String(status)} is not told`;
    if (body.length === 0) return undefined;
    const type = contentType?.split(';')[0] ?? 'none';
    const media = told.content?.[type];
    if (media === undefined) return `the type ${type} is not told for ${String(status)}`;
    if (media.schema === undefined || type !== 'application/json') return undefined;
    const validate = this.#validatorOf(media.schema);
    const text = new TextDecoder().decode(body);
    if (validate(JSON.parse(text))) return undefined;
    return `${this.#ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`;
  }

  #validatorOf(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    let validate = this.#validators.get(key);
    if (validate === undefined) {
      const absolute = JSON.parse(key.replaceAll('"#/', '"openapi#/')) as object;
      this.#validators.set(key, (validate = this.#ajv.compile(absolute)));
    }
    return validate;
  }

  #operation(path: string, method: string, told: Told): Operation {
    const responses = Object.entries(told.responses).map(
      ([status, response]) => [Number(status), this.resolved<Response>(response)] as const,
    );
    return {
      method: method.toUpperCase(),
      path,
      parameters: (told.parameters ?? []).map((parameter) => this.resolved<Parameter>(parameter)),
      takes: Object.entries(told.requestBody?.content ?? {}),
      gives: responses.flatMap(([status, { content = {} }]) => (status < 300 ? Object.keys(content) : [])),
      responses: new Map(responses),
    };
  }
}
