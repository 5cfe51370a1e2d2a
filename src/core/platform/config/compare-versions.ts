/** `MAJOR.MINOR.PATCH` with an optional pre-release, without build metadata. */
export const VERSION_PATTERN = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,32})?$/

/** Negative when the first version is older (Semantic Versioning 2.0.0, 11). A pre-release is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [partsA, partsB] = [partsOf(a), partsOf(b)]
  for (const [index, number] of partsA.numbers.entries()) {
    const difference = number - (partsB.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  if (partsA.words.length === 0 || partsB.words.length === 0) return partsB.words.length - partsA.words.length
  for (const [index, word] of partsA.words.entries()) {
    const difference = comparePrereleaseIdentifiers(word, partsB.words[index])
    if (difference !== 0) return difference
  }
  return partsA.words.length - partsB.words.length
}

/** Compares two pre-release identifiers: numeric ones by value, and before alphanumeric ones. A missing identifier sorts first. */
function comparePrereleaseIdentifiers(a: string, b: string | undefined): number {
  if (b === undefined) return 1
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (isNumberA && isNumberB) return Number(a) - Number(b)
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1
  return a < b ? -1 : Number(a > b)
}

function partsOf(version: string): { numbers: number[]; words: string[] } {
  const [numbers = '', ...rest] = version.split('-')
  const words = rest.join('-')
  return { numbers: numbers.split('.').map(Number), words: words === '' ? [] : words.split('.') }
}
