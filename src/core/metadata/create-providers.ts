import { z } from 'zod'
import type { Config } from '../platform/config/index.ts'
import type { Database } from '../platform/database/index.ts'
import { parseJson } from '../platform/json/index.ts'
import { readSetting } from '../platform/settings/index.ts'
import type { Outbound, OutboundPurpose } from '../platform/outbound/index.ts'
import type { Clock } from '../platform/time/index.ts'
import {
  createRequestProvider,
  sendWithRetries,
  type ProviderServices,
  type ProviderCredentials,
  type ProviderConnection,
} from './provider-client/request-provider.ts'
import { createReplyCache } from './provider-client/reply-cache.ts'
import { createRateLimiter } from './provider-client/rate-limiter.ts'
import { metadataErrors } from './errors.ts'
import type { MusicProvider } from './music-facts.ts'
import { openMusicBrainz } from './open-musicbrainz.ts'
import type { SearchProvider, TitleProvider } from './provider.ts'
import { LenientText } from './providers/lenient-schemas.ts'
import { createPluginProvider, type PluginTitleProvider } from './providers/plugin-provider.ts'
import { createTmdb } from './providers/tmdb/tmdb.ts'
import { createTvdb } from './providers/tvdb.ts'
import { removeTrailingSlash } from './remove-trailing-slash.ts'

/** The metadata sources that are configured with a key or enabled. */
export type MetadataProviders = {
  tmdb: SearchProvider | undefined
  tvdb: TitleProvider | undefined
  /** Set if the administrator has enabled it. */
  musicbrainz: MusicProvider | undefined
  /** Sources outside of this program that can be queried now, by name. */
  others: () => readonly SearchProvider[]
  /** Reads the current setting: whether a refresh may replace existing data. */
  overwritesExisting(): Promise<boolean>
  /** Aborts running requests. Idempotent. */
  close(): Promise<void>
}

export type ProvidersInput = {
  config: Config
  db: Database
  clock: Clock
  outbound: Outbound
  /** The sources outside of this program; they change while it runs. Default: none. */
  otherSources?: () => readonly PluginTitleProvider[]
}

/** The providers for titles. */
export type TitleProviders = Pick<MetadataProviders, 'tmdb' | 'tvdb' | 'others'>

/** Whether at least one provider for titles is configured. */
export function hasProvider({ tmdb, tvdb, others }: TitleProviders): boolean {
  return tmdb !== undefined || tvdb !== undefined || others().length > 0
}

/** Opens no connection; the first request does. Each provider has a rate limit of its own, shared by the whole process. */
export function createMetadataProviders(input: ProvidersInput): MetadataProviders {
  const { config, db, clock, outbound, otherSources = () => [] } = input
  const { options } = config
  const stopping = new AbortController()
  const cache = createReplyCache({ db, clock })
  const services = (
    purpose: OutboundPurpose,
    perSecond = options['metadata.requests_per_second'],
  ): ProviderServices => ({
    outbound,
    purpose,
    clock,
    cache,
    rateLimiter: createRateLimiter({ clock, perSecond }),
    timeoutMilliseconds: options['metadata.timeout_seconds'] * 1000,
    stopping: stopping.signal,
  })
  return {
    tmdb: openTmdb(config, services('tmdb')),
    tvdb: openTvdb(config, services('tvdb')),
    musicbrainz: openMusicBrainz(config, {
      musicbrainz: services('musicbrainz', options['metadata.musicbrainz.requests_per_second']),
      covers: services('cover-art'),
    }),
    others: () => otherSources().map(createPluginProvider),
    overwritesExisting: () => readSetting({ config, db }, 'metadata.overwrite_existing'),
    async close() {
      stopping.abort()
    },
  }
}

function openTmdb({ options }: Config, services: ProviderServices): SearchProvider | undefined {
  const key = options['metadata.tmdb.api_key']
  if (key === undefined || key === '') return undefined
  // TMDB issues two credentials: a short key for the query, and a long token for the header.
  const identity =
    key.split('.').length === 3 ? { headers: { authorization: `Bearer ${key}` } } : { query: { api_key: key } }
  const request = createRequestProvider(services, {
    name: 'TMDB',
    baseUrl: removeTrailingSlash(options['metadata.tmdb.base_url']),
    identify: async () => identity,
    unreachable: metadataErrors.tmdb_unreachable,
  })
  return createTmdb({ request, language: options['metadata.language'], country: options['metadata.country'] })
}

const LoginReply = z.object({ data: z.object({ token: LenientText }) })

/** A token is valid for a month. After a refusal the provider requests a new token, once. */
function openTvdb({ options }: Config, services: ProviderServices): TitleProvider | undefined {
  const key = options['metadata.tvdb.api_key']
  if (key === undefined || key === '') return undefined
  const pin = options['metadata.tvdb.pin']
  const connection = {
    name: 'TVDB',
    baseUrl: removeTrailingSlash(options['metadata.tvdb.base_url']),
    unreachable: metadataErrors.tvdb_unreachable,
  }
  let login: Promise<ProviderCredentials> | undefined
  let latest: ProviderCredentials | undefined
  const logIn = async (): Promise<ProviderCredentials> => {
    const reply = await sendWithRetries(services, { ...connection, identify: async () => ({}) }, () => ({
      url: `${connection.baseUrl}/login`,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(pin === undefined || pin === '' ? { apikey: key } : { apikey: key, pin }),
    }))
    const parsed = LoginReply.safeParse(parseJson(reply.body))
    const token = parsed.success ? parsed.data.data.token : null
    if (token === null) throw metadataErrors.tvdb_unreachable({ message: 'TVDB did not send a token' })
    latest = { headers: { authorization: `Bearer ${token}` } }
    return latest
  }
  const source: ProviderConnection = {
    ...connection,
    async identify() {
      login ??= logIn()
      try {
        return await login
      } catch (error) {
        login = undefined
        throw error
      }
    },
    refused(identity) {
      // Concurrent requests with the same token may be renewing it already.
      if (identity === latest) login = latest = undefined
      return true
    },
  }
  return createTvdb({ request: createRequestProvider(services, source) })
}
