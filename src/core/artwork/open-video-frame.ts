import { hash } from 'node:crypto'
import { openItemFile } from '../catalogue/index.ts'
import { imageErrors, type Images, type PictureInput } from '../platform/images/index.ts'
import type { Clock } from '../platform/time/index.ts'
import { artworkErrors } from './errors.ts'
import type { LocalPictureServices } from './open-local-picture.ts'
import type { ArtworkSource } from './queries/artwork-sources.ts'

/**
 * Where a bright frame is searched, as fractions of the film. The first is after the opening titles; the others are tried if all frames
 * there are dark.
 */
const SEARCH_FRACTIONS = [0.1, 0.25, 0.5]

const MAX_BYTES = 8 * 1024 * 1024

/** Total for all attempts, because other requests wait for the same process slots. */
const TIMEOUT_SECONDS = 25

type FrameServices = LocalPictureServices & { images: Images; clock: Clock }

/**
 * A frame that represents a film or an episode without a picture: at a tenth of the duration, or later if that frame is dark. The frame
 * is cached, and further sizes are made from it.
 * @throws AppError `picture_unreadable` if no frame can be extracted, `artwork_not_found`, the errors of opening files, `tool_missing`
 */
export async function openVideoFrame(
  services: FrameServices,
  { ownerId, stamp, path, libraryId, durationSeconds }: ArtworkSource,
): Promise<PictureInput> {
  const name = `${hash('sha256', `frame ${ownerId} ${stamp}`)}.original`
  const cached = await services.images.store.read(name)
  if (cached !== undefined) return { bytes: cached.bytes }
  if (path === null || libraryId === null) throw artworkErrors.artwork_not_found()
  const opened = await openItemFile(services, { path, libraryId })
  // The file was opened only to check that it is inside a library.
  await opened.handle.close()
  const bytes = await extractFrame(services, opened.path, durationSeconds ?? 0)
  await services.images.store.write(name, bytes)
  return { bytes }
}

async function extractFrame(
  { mediaTools, clock }: FrameServices,
  input: string,
  durationSeconds: number,
): Promise<Buffer> {
  const end = clock.monotonicMilliseconds() + TIMEOUT_SECONDS * 1000
  const bright = SEARCH_FRACTIONS.map((fraction) => ({ input, atSeconds: durationSeconds * fraction, isBright: true }))
  const any = [durationSeconds * 0.1, null].map((atSeconds) => ({ input, atSeconds, isBright: false }))
  for (const frame of [...bright, ...any]) {
    const timeoutSeconds = (end - clock.monotonicMilliseconds()) / 1000
    if (timeoutSeconds <= 0) break
    const taken = await mediaTools.extractFrame(frame, { timeoutSeconds, maxBytes: MAX_BYTES })
    if (taken.kind === 'taken') return taken.bytes
    // The disk failed, not the film: a later request tries again.
    if (taken.kind === 'fault') throw artworkErrors.artwork_not_found({ message: taken.fault.text })
  }
  throw imageErrors.picture_unreadable({ message: 'ffmpeg could not extract a frame from the film' })
}
