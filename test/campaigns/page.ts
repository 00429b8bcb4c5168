export function writePage(): void {
  throw new Error('later');
}
