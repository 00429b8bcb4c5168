/** The rows that are shown, for what is made of them. */
export interface RowSource {
  /** Undefined before they came. */
  readonly columns: readonly string[] | undefined;
  /** How many there are. */
  readonly shown: number;
  /** Of a row by its place, from 0. */
  cells(place: number): readonly string[];
}
