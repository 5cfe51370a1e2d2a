/** `1` or `true`; anything else is off (document 1, Media catalogue). */
export function readConditions<Query extends { topLevel?: string }>({ topLevel, ...rest }: Query) {
  return { ...rest, topLevel: topLevel === '1' || topLevel?.toLowerCase() === 'true' }
}
