import { releaseVersion, type Config } from '../platform/config/index.ts'
import {
  createRequestProvider,
  type ProviderServices,
  type ProviderConnection,
} from './provider-client/request-provider.ts'
import { metadataErrors } from './errors.ts'
import type { MusicProvider } from './music-facts.ts'
import { createCoverArtArchive } from './providers/musicbrainz/cover-art-archive.ts'
import { createMusicBrainz } from './providers/musicbrainz/musicbrainz.ts'
import { removeTrailingSlash } from './remove-trailing-slash.ts'

/** The archive redirects to the Internet Archive, which redirects to one of its machines. */
const MAX_REDIRECTS = 3

/** Needs no key, but a user agent: MusicBrainz refuses clients that do not identify themselves. */
export function openMusicBrainz(
  { options }: Config,
  services: { musicbrainz: ProviderServices; covers: ProviderServices },
): MusicProvider | undefined {
  if (!options['metadata.musicbrainz.enabled']) return undefined
  const contact = headerText(options['metadata.musicbrainz.contact'] ?? '')
  const identity = { headers: { 'user-agent': `Phlix/${releaseVersion()}${contact === '' ? '' : ` ( ${contact} )`}` } }
  const source = (name: string, baseUrl: string): ProviderConnection => ({
    name,
    baseUrl: removeTrailingSlash(baseUrl),
    identify: async () => identity,
    unreachable: metadataErrors.musicbrainz_unreachable,
    redirects: MAX_REDIRECTS,
  })
  const archive = source('Cover Art Archive', options['metadata.cover_art_archive.base_url'])
  const covers = { request: createRequestProvider(services.covers, archive), baseUrl: archive.baseUrl }
  const musicbrainz = source('MusicBrainz', options['metadata.musicbrainz.base_url'])
  return createMusicBrainz({
    request: createRequestProvider(services.musicbrainz, musicbrainz),
    covers: options['metadata.cover_art_archive.enabled'] ? createCoverArtArchive(covers) : undefined,
  })
}

/** Reduces a text to the characters that a header may contain: printable ASCII. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').trim()
}
