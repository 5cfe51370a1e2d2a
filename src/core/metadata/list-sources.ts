import type { MetadataProviders } from './create-providers.ts'

/** Sidecar files and embedded tags; always available, and with priority over every provider. */
const LOCAL_SOURCE = 'local'

/** The names of the active sources: files first, then the configured providers. */
export function listMetadataSources({ tmdb, tvdb, musicbrainz, others }: MetadataProviders): string[] {
  const providers = { tmdb, tvdb, musicbrainz }
  const configured = Object.entries(providers).filter(([, provider]) => provider !== undefined)
  return [LOCAL_SOURCE, ...configured.map(([name]) => name), ...others().map(({ name }) => name)]
}
