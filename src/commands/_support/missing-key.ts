import type { Library } from '../../core/libraries/index.ts'
import type { Services } from '../../core/services.ts'

/** Returns a hint with the command that sets the provider key, if the library could be matched with it; undefined otherwise. */
export async function describeMissingKey(
  { metadata }: Pick<Services, 'metadata'>,
  { type }: Pick<Library, 'type'>,
): Promise<string | undefined> {
  const { hasProvider, SET_KEY_HINT } = await import('../../core/metadata/index.ts')
  const isOfFilms = type === 'movie' || type === 'series' || type === 'video'
  if (!isOfFilms || hasProvider(metadata)) return undefined
  return `No metadata provider has a key, so nothing is asked about films and series: ${SET_KEY_HINT}`
}
