/** No option name is this long. The limit bounds the cost, which is proportional to the product of the lengths. */
const MAX_COMPARED_LENGTH = 100

/**
 * The known name that is closest to a mistyped name. Undefined when more than a third of the name would have to change. Levenshtein
 * distance over one row (Wagner and Fischer, 1974).
 */
export function findNearestName(wrong: string, known: readonly string[]): string | undefined {
  if (wrong.length > MAX_COMPARED_LENGTH) return undefined
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(wrong.length / 3)) + 1
  for (const name of known) {
    const distance = editDistance(wrong, name)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
