import { hash } from 'node:crypto'
import type { Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { detectPictureFormat } from '../platform/files/index.ts'
import { type Images, type PictureInput } from '../platform/images/index.ts'
import { outboundErrors, type Outbound, type OutboundReply, type OutboundTrust } from '../platform/outbound/index.ts'
import { artworkErrors } from './errors.ts'
import { storeFetchedPicture } from './queries/provider-artwork.ts'
import type { ArtworkSource } from './queries/artwork-sources.ts'

export type FetchServices = { db: Connection; config: Config; images: Images; outbound: Outbound }

const LIMIT_MILLISECONDS = 15_000

/** The Cover Art Archive redirects to the Internet Archive, which redirects to one of its machines. */
const MAX_REDIRECTS = 3

/** The originals of TMDB are seldom larger than 5 MB. */
const MAX_BYTES = 20 * 1024 * 1024

const SUSPENSION_MILLISECONDS = 60_000
const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  outboundErrors.outbound_unreachable.definition.code,
  outboundErrors.outbound_timeout.definition.code,
])

/** Errors caused by the picture itself: it does not exist, or is no picture. */
const PERMANENT_CODES: ReadonlySet<string> = new Set(
  [...Object.values(outboundErrors), artworkErrors.artwork_not_found].map(({ definition }) => definition.code),
)

/**
 * Whether the failure is permanent for this picture, so that it is not requested again. If the server is suspended, no request was made,
 * and the failure is not permanent.
 */
export function isPermanentFetchFailure({ code }: AppError): boolean {
  return PERMANENT_CODES.has(code)
}

/**
 * A picture of a provider: from the cache, or fetched, checked and stored under the hash of its content.
 * @throws AppError `artwork_not_found` for an answer that is no picture, `artwork_server_silent`, `outbound_…`
 */
export async function getProviderPicture(
  services: FetchServices,
  { ownerId, kind, url, contentHash }: ArtworkSource & { url: string },
): Promise<PictureInput> {
  const cached = contentHash === null ? undefined : await services.images.store.read(originalName(contentHash))
  if (cached !== undefined) return { bytes: cached.bytes }
  const bytes = await fetchBytes(services, url)
  const fetchedHash = hash('sha256', bytes)
  await services.images.store.write(originalName(fetchedHash), bytes)
  await storeFetchedPicture(services.db, { ownerId, kind, url, contentHash: fetchedHash })
  return { bytes }
}

async function fetchBytes(services: FetchServices, url: string): Promise<Uint8Array> {
  const { status, body } = await requestPicture(services, url)
  if (status !== 200) throw artworkErrors.artwork_not_found({ message: `the provider answered ${status}` })
  // The type is decided by the first bytes, not by the header of the answer.
  if (detectPictureFormat(body) === undefined)
    throw artworkErrors.artwork_not_found({ message: 'the answer is no picture' })
  return body
}

/**
 * Requests a picture. A server that does not answer is suspended for a while, so that a page with many of its pictures does not wait for
 * each of them.
 */
async function requestPicture({ outbound, config, images }: FetchServices, url: string): Promise<OutboundReply> {
  const server = `server ${new URL(url).origin}`
  const failure = images.failures.get(server)
  if (failure !== undefined) throw artworkErrors.artwork_server_silent({ cause: failure })
  try {
    return await outbound.send({
      purpose: 'artwork',
      url,
      trust: trustOf(url, config),
      headers: { accept: 'image/*' },
      timeoutMilliseconds: LIMIT_MILLISECONDS,
      maximumBytes: MAX_BYTES,
      redirects: MAX_REDIRECTS,
    })
  } catch (error) {
    const isUnreachable = error instanceof AppError && UNREACHABLE_CODES.has(error.code)
    if (isUnreachable) images.failures.add(server, error, SUSPENSION_MILLISECONDS)
    throw error
  }
}

/** A mirror of the provider may be in a private network; any other address comes from an untrusted source. */
function trustOf(url: string, { options }: Config): OutboundTrust {
  const mirrors = [
    options['artwork.mirror_origin'],
    options['metadata.tmdb.base_url'],
    options['metadata.cover_art_archive.base_url'],
  ]
  const { origin } = new URL(url)
  return mirrors.some((mirror) => mirror !== undefined && new URL(mirror).origin === origin) ? 'configured' : 'public'
}

function originalName(contentHash: string): string {
  return `${contentHash}.original`
}
