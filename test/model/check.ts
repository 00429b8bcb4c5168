/** The one assertion of the model test; its message is made only where it fails. */
export function check(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Error(message());
}
