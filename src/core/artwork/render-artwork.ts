import type { Connection } from '../platform/database/index.ts'
import { AppError, describeError } from '../platform/errors/index.ts'
import {
  isPermanentPictureError,
  type Images,
  type PictureInput,
  type PictureSource,
  type RenderedPicture,
} from '../platform/images/index.ts'
import type { Logger } from '../platform/logging/index.ts'
import { parseArtworkId, artworkVersion } from './artwork-id.ts'
import type { ArtworkKind } from './artwork-kind.ts'
import { artworkErrors } from './errors.ts'
import { getProviderPicture, isPermanentFetchFailure, type FetchServices } from './provider-picture.ts'
import type { Clock } from '../platform/time/index.ts'
import { openVideoFrame } from './open-video-frame.ts'
import { openLocalPicture, type LocalPictureServices } from './open-local-picture.ts'
import { selectEditedPoster } from './queries/edited-posters.ts'
import { selectArtworkSources, type ArtworkSource } from './queries/artwork-sources.ts'
import { DEFAULT_WIDTHS, snapWidth } from './artwork-sizes.ts'

export type ArtworkServices = LocalPictureServices &
  FetchServices & { db: Connection; images: Images; log: Logger; clock: Clock }

/** `isCurrent`: the version in the id is the current one, so that the answer may be cached for long. */
export type RenderedArtwork = RenderedPicture & { isCurrent: boolean }

/**
 * Opens the picture with an id in the requested width, rounded up to a cached size. A logo is a PNG, all other pictures are JPEG. A picture
 * of a provider is fetched with the first request.
 * @param input.width pixels; default: the width of lists
 * @throws AppError `artwork_not_found`, also for a picture that cannot be read or fetched; `too_many_pictures`
 */
export async function renderArtwork(
  services: ArtworkServices,
  { id, width }: { id: string; width?: number | undefined },
): Promise<RenderedArtwork> {
  const wanted = parseArtworkId(id)
  if (wanted === undefined) throw artworkErrors.artwork_not_found()
  const [source] = await selectArtworkSources(services.db, [wanted.ownerId], { kind: wanted.kind })
  const picture = await renderSource(services, source, width)
  return { ...picture, isCurrent: artworkVersion(picture.stamp) === wanted.version }
}

/** The kinds of which an item is shown by one picture, the best first. */
const SHOWN_KINDS: readonly ArtworkKind[] = ['poster', 'cover', 'still', 'backdrop']

/**
 * Opens the one picture that an item is shown by.
 * @param input.width as for `renderArtwork`
 * @throws AppError as `renderArtwork`
 */
export async function renderItemPicture(
  services: ArtworkServices,
  { itemId, width }: { itemId: string; width?: number | undefined },
): Promise<RenderedPicture> {
  const sources = await selectArtworkSources(services.db, [itemId])
  const shown = SHOWN_KINDS.map((kind) => sources.find((source) => source.kind === kind))
  return renderSource(
    services,
    shown.find((source) => source !== undefined),
    width,
  )
}

async function renderSource(
  services: ArtworkServices,
  source: ArtworkSource | undefined,
  width: number | undefined,
): Promise<RenderedPicture & { stamp: string }> {
  if (source === undefined) throw artworkErrors.artwork_not_found()
  const shape = {
    fit: 'inside',
    width: snapWidth(width ?? DEFAULT_WIDTHS[source.kind]),
    keepsTransparency: source.kind === 'logo',
  } as const
  try {
    const identity = `artwork ${source.source} ${source.ownerId} ${source.streamIndex ?? ''} ${source.stamp}`
    const open = (): Promise<PictureInput> => openSource(services, source)
    const picture = await services.images.render({ identity, open, slow: slownessOf(source) }, shape)
    return { ...picture, stamp: source.stamp }
  } catch (error) {
    throw asNotFound(services, error, source)
  }
}

function openSource(services: ArtworkServices, source: ArtworkSource): Promise<PictureInput> {
  const { url } = source
  if (source.source === 'edited') return openEdited(services, source)
  if (source.source === 'frame') return openVideoFrame(services, source)
  return url === null ? openLocalPicture(services, source) : getProviderPicture(services, { ...source, url })
}

async function openEdited({ db }: { db: Connection }, { ownerId }: ArtworkSource): Promise<PictureInput> {
  const bytes = await selectEditedPoster(db, ownerId)
  if (bytes === undefined) throw artworkErrors.artwork_not_found()
  return { bytes }
}

function slownessOf({ source }: ArtworkSource): PictureSource['slow'] {
  if (source === 'web') return { queue: 'servers', isLasting: isPermanentFetchFailure }
  return source === 'frame' ? { queue: 'films', isLasting: isPermanentPictureError } : undefined
}

/**
 * Converts an error to `artwork_not_found`. The cause is only logged, because it may contain hosts and folders. `too_many_pictures` is kept
 * because it is temporary.
 */
function asNotFound({ log }: { log: Logger }, error: unknown, { source, path, url }: ArtworkSource): unknown {
  if (!(error instanceof AppError) || error.kind === 'busy') return error
  log.info({ source, path, url, reason: describeError(error) }, 'a picture cannot be shown')
  return artworkErrors.artwork_not_found({ cause: error })
}
