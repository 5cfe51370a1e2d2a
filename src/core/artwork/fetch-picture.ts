import { hash } from 'node:crypto'
import type { Config } from '../platform/config/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { AppError } from '../platform/errors/index.ts'
import { sniffPicture, type Images, type PictureInput } from '../platform/images/index.ts'
import { outboundErrors, type Outbound, type OutboundReply, type OutboundTrust } from '../platform/outbound/index.ts'
import { artworkErrors } from './errors.ts'
import { noteFetched } from './queries/provider.ts'
import type { ArtworkSource } from './queries/sources.ts'

export type FetchServices = { db: Connection; config: Config; images: Images; outbound: Outbound }

const LIMIT_MILLISECONDS = 15_000

/** The Cover Art Archive sends on to the Internet Archive, and that to one of its machines. */
const MAX_REDIRECTS = 3

/** TMDB's originals are seldom larger than 5 MB. */
const MAX_BYTES = 20 * 1024 * 1024

const SILENCE_MILLISECONDS = 60_000
const SILENT: ReadonlySet<string> = new Set([
  outboundErrors.outbound_unreachable.definition.code,
  outboundErrors.outbound_timeout.definition.code,
])

/** What the picture itself is to blame for: it was asked for in vain, or is none. */
const OF_PICTURE: ReadonlySet<string> = new Set(
  [...Object.values(outboundErrors), artworkErrors.artwork_not_found].map(({ definition }) => definition.code),
)

/** Whether a picture is not asked for again after this failure. That of a server that is left alone was not asked for at all. */
export function isOfFetchedPicture({ code }: AppError): boolean {
  return OF_PICTURE.has(code)
}

/**
 * A provider's picture: the kept one, or fetched, looked at and kept under the hash of what it is (decisions 3.5, Artwork).
 * @throws AppError `artwork_not_found` for an answer that is no picture, `artwork_server_silent`, `outbound_…`
 */
export async function fetchPicture(
  services: FetchServices,
  { ownerId, kind, url, contentHash }: ArtworkSource & { url: string },
): Promise<PictureInput> {
  const kept = contentHash === null ? undefined : await services.images.store.read(originalName(contentHash))
  if (kept !== undefined) return { bytes: kept.bytes }
  const bytes = await fetchBytes(services, url)
  const fetchedHash = hash('sha256', bytes)
  await services.images.store.write(originalName(fetchedHash), bytes)
  await noteFetched(services.db, { ownerId, kind, url, contentHash: fetchedHash })
  return { bytes }
}

async function fetchBytes(services: FetchServices, url: string): Promise<Uint8Array> {
  const { status, body } = await askServer(services, url)
  if (status !== 200) throw artworkErrors.artwork_not_found({ message: `the provider answered ${status}` })
  // Its own first bytes count, not what the answer calls it.
  if (sniffPicture(body) === undefined) throw artworkErrors.artwork_not_found({ message: 'the answer is no picture' })
  return body
}

/** A server that does not answer is left alone for a while, so that a page of its pictures does not wait for each of them. */
async function askServer({ outbound, config, images }: FetchServices, url: string): Promise<OutboundReply> {
  const server = `server ${new URL(url).origin}`
  const silence = images.failures.get(server)
  if (silence !== undefined) throw artworkErrors.artwork_server_silent({ cause: silence })
  try {
    return await outbound.send({
      url,
      trust: trustOf(url, config),
      headers: { accept: 'image/*' },
      timeoutMilliseconds: LIMIT_MILLISECONDS,
      maximumBytes: MAX_BYTES,
      redirects: MAX_REDIRECTS,
    })
  } catch (error) {
    const isSilent = error instanceof AppError && SILENT.has(error.code)
    if (isSilent) images.failures.add(server, error, SILENCE_MILLISECONDS)
    throw error
  }
}

/** A mirror of the provider may stand in a private network; everything else is an address that somebody else has named. */
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
