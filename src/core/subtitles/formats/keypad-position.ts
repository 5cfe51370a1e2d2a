/**
 * Converts an alignment of the older SubStation Alpha format to a numeric keypad position. It counts 1 to 3 from the left, plus 4 at the
 * top and plus 8 in the middle.
 */
export function keypadPosition(alignment: number): number {
  const column = alignment & 3
  if (column === 0) return 2
  if (alignment > 8) return column + 3
  return alignment > 4 ? column + 6 : column
}
