import { hash } from 'node:crypto'
import { openItemFile } from '../catalogue/index.ts'
import { imageErrors, type Images, type PictureInput } from '../platform/images/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { artworkErrors } from './errors.ts'
import type { LocalServices } from './open-local-picture.ts'
import type { ArtworkSource } from './queries/sources.ts'

/** Where a bright frame is looked for, as shares of the film: after the titles, and further on where that is dark. */
const PLACES = [0.1, 0.25, 0.5]

const MAX_BYTES = 8 * 1024 * 1024

/** Of all attempts together: others wait behind a film that is slow to search. */
const TIMEOUT_SECONDS = 25

type FrameServices = LocalServices & { images: Images; clock: Clock }

/**
 * A frame that stands for a film or an episode without a picture: a tenth of the way in, bright where there is a bright one. Kept as it
 * was taken, so that further sizes are drawn from it.
 * @throws AppError `picture_unreadable` for what no frame comes out of, `artwork_not_found`, those of opening files, `tool_missing`
 */
export async function openFrame(
  services: FrameServices,
  { ownerId, stamp, path, libraryId, durationSeconds }: ArtworkSource,
): Promise<PictureInput> {
  const name = `${hash('sha256', `frame ${ownerId} ${stamp}`)}.original`
  const kept = await services.images.store.read(name)
  if (kept !== undefined) return { bytes: kept.bytes }
  if (path === null || libraryId === null) throw artworkErrors.artwork_not_found()
  const opened = await openItemFile(services, { path, libraryId })
  // Opening has proven that the file lies in a library.
  await opened.handle.close()
  const bytes = await takeBest(services, opened.path, durationSeconds ?? 0)
  await services.images.store.write(name, bytes)
  return { bytes }
}

async function takeBest({ mediaTools, clock }: FrameServices, input: string, durationSeconds: number): Promise<Buffer> {
  const end = clock.monotonicMilliseconds() + TIMEOUT_SECONDS * 1000
  const bright = PLACES.map((share) => ({ input, atSeconds: durationSeconds * share, isBright: true }))
  const any = [durationSeconds * 0.1, null].map((atSeconds) => ({ input, atSeconds, isBright: false }))
  for (const wish of [...bright, ...any]) {
    const timeoutSeconds = (end - clock.monotonicMilliseconds()) / 1000
    if (timeoutSeconds <= 0) break
    const taken = await mediaTools.extractFrame(wish, { timeoutSeconds, maxBytes: MAX_BYTES })
    if (taken.kind === 'taken') return taken.bytes
    // The disk, not the film: it is tried again.
    if (taken.kind === 'fault') throw artworkErrors.artwork_not_found({ message: taken.fault.text })
  }
  throw imageErrors.picture_unreadable({ message: 'ffmpeg takes no frame out of the film' })
}
