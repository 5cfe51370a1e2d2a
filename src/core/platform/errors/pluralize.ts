/**
 * A number with its noun for a message: `1 item`, `2 items`.
 * @param number what is shown instead of the count, for example with separators
 */
export function pluralize(count: number, noun: string, { plural = `${noun}s`, number = String(count) } = {}): string {
  return `${number} ${count === 1 ? noun : plural}`
}
