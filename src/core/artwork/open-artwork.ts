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
import { parseArtworkId, versionOf } from './artwork-id.ts'
import { artworkErrors } from './errors.ts'
import { fetchPicture, isOfFetchedPicture, type FetchServices } from './fetch-picture.ts'
import type { Clock } from '../platform/time/index.ts'
import { openFrame } from './open-frame.ts'
import { openLocalPicture, type LocalServices } from './open-local-picture.ts'
import { selectEditedPoster } from './queries/edited.ts'
import { selectSources, type ArtworkSource } from './queries/sources.ts'
import { DEFAULT_WIDTHS, snapWidth } from './sizes.ts'

export type ArtworkServices = LocalServices &
  FetchServices & { db: Connection; images: Images; log: Logger; clock: Clock }

/** `isCurrent`: the id names the picture as it is now, which makes it good for long. */
export type OpenArtwork = RenderedPicture & { isCurrent: boolean }

/**
 * The picture of an id in the width that is asked for, rounded up to one that is kept; a logo as PNG, everything else as JPEG. What
 * lies at a provider is fetched with the first request.
 * @param input.width pixels; the list's width unless said
 * @throws AppError `artwork_not_found`, also for what cannot be read or fetched; `too_many_pictures`
 */
export async function openArtwork(
  services: ArtworkServices,
  { id, width }: { id: string; width?: number | undefined },
): Promise<OpenArtwork> {
  const wanted = parseArtworkId(id)
  if (wanted === undefined) throw artworkErrors.artwork_not_found()
  const [source] = await selectSources(services.db, [wanted.ownerId], { kind: wanted.kind })
  if (source === undefined) throw artworkErrors.artwork_not_found()
  const shape = {
    fit: 'inside',
    width: snapWidth(width ?? DEFAULT_WIDTHS[wanted.kind]),
    keepsTransparency: wanted.kind === 'logo',
  } as const
  try {
    const identity = `artwork ${source.source} ${source.ownerId} ${source.streamIndex ?? ''} ${source.stamp}`
    const open = (): Promise<PictureInput> => openSource(services, source)
    const picture = await services.images.render({ identity, open, slow: slownessOf(source) }, shape)
    return { ...picture, isCurrent: versionOf(source.stamp) === wanted.version }
  } catch (error) {
    throw asNotFound(services, error, source)
  }
}

function openSource(services: ArtworkServices, source: ArtworkSource): Promise<PictureInput> {
  const { url } = source
  if (source.source === 'edited') return openEdited(services, source)
  if (source.source === 'frame') return openFrame(services, source)
  return url === null ? openLocalPicture(services, source) : fetchPicture(services, { ...source, url })
}

async function openEdited({ db }: { db: Connection }, { ownerId }: ArtworkSource): Promise<PictureInput> {
  const bytes = await selectEditedPoster(db, ownerId)
  if (bytes === undefined) throw artworkErrors.artwork_not_found()
  return { bytes }
}

function slownessOf({ source }: ArtworkSource): PictureSource['slow'] {
  if (source === 'web') return { queue: 'servers', isLasting: isOfFetchedPicture }
  return source === 'frame' ? { queue: 'films', isLasting: isPermanentPictureError } : undefined
}

/** Why is for the log: it may name hosts and folders. Being busy passes. */
function asNotFound({ log }: { log: Logger }, error: unknown, { source, path, url }: ArtworkSource): unknown {
  if (!(error instanceof AppError) || error.kind === 'busy') return error
  log.info({ source, path, url, reason: describeError(error) }, 'a picture cannot be shown')
  return artworkErrors.artwork_not_found({ cause: error })
}
