/** A request with many parts of one kind. */
export interface Shape {
  readonly name: string;
  readonly text: string;
  /** Default: a SELECT. */
  readonly form?: 'select' | 'construct' | 'describe' | 'update';
}

export const many = (count: number, part: (i: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(between);

export const where = (name: string, group: string): Shape => ({ name, text: `SELECT * { ${group} }` });

export const construct = (name: string, template: string, group: string): Shape => ({
  name,
  form: 'construct',
  text: `CONSTRUCT { ${template} } WHERE { ${group} }`,
});
