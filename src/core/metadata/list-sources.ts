import type { MetadataProviders } from './create-providers.ts'

/** What lies beside media and in them; always there, and believed before every provider. */
const LOCAL_SOURCE = 'local'

/** The names of the sources that are asked now: files first, then the providers that are configured. */
export function listMetadataSources({ tmdb, tvdb, musicbrainz }: MetadataProviders): string[] {
  const providers = { tmdb, tvdb, musicbrainz }
  const configured = Object.entries(providers).filter(([, provider]) => provider !== undefined)
  return [LOCAL_SOURCE, ...configured.map(([name]) => name)]
}
