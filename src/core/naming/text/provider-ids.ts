export type ProviderIds = { imdb?: string; tmdb?: string; tvdb?: string }

const ENCLOSED = /\[[^[\](){}]*\]|\{[^[\](){}]*\}|\([^[\](){}]*\)/g
const IDENTIFIER = /^(imdb|tmdb|tvdb)(?:id)?[-=](.+)$/i
const IMDB = /^tt\d{7,9}$/
const BARE_IMDB = /(?<![\p{L}\p{N}])tt\d{7,9}(?![\p{L}\p{N}])/u

/**
 * The provider ids in a name: `[tmdbid-123]`, `{imdb-tt0123456}`, `(tvdb=1)`, or `tt0123456` anywhere. The first of each provider is
 * used. `rest` is the name with spaces in their positions.
 */
export function extractProviderIds(name: string): { ids: ProviderIds; rest: string } {
  const ids: ProviderIds = {}
  let rest = name.replaceAll(ENCLOSED, (group) => {
    const match = IDENTIFIER.exec(group.slice(1, -1).trim())
    if (match === null) return group
    const provider = match[1]?.toLowerCase() as keyof ProviderIds
    const value = match[2]?.trim() ?? ''
    if (provider === 'imdb' ? IMDB.test(value) : /^\d{1,9}$/.test(value)) ids[provider] ??= value
    return ' '.repeat(group.length)
  })
  const bare = BARE_IMDB.exec(rest)
  if (bare !== null) {
    ids.imdb ??= bare[0]
    rest = rest.slice(0, bare.index) + ' '.repeat(bare[0].length) + rest.slice(bare.index + bare[0].length)
  }
  return { ids, rest }
}
