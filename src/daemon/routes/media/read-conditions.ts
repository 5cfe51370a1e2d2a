/** `1` or `true` means true; any other value means false. */
export function readConditions<Query extends { topLevel?: string }>({ topLevel, ...rest }: Query) {
  return { ...rest, topLevel: topLevel === '1' || topLevel?.toLowerCase() === 'true' }
}
