import { findFileStamps, getItem, listItemParts, openItemFile, type MediaItemDetail } from '../../catalogue/index.ts'
import type { GetLibraryPaths } from '../../libraries/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import { imageErrors, isPermanentPictureError, type Images, type RenderedPicture } from '../../platform/images/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import { listChapters } from '../../tracks/index.ts'
import { analysisErrors } from '../errors.ts'
import { findFilmTrickplay, findPictureAt, readFilmPictures } from './film-trickplay.ts'
import type { TrickplayStore } from './trickplay-store.ts'

type Services = {
  db: Connection
  getLibraryPaths: GetLibraryPaths
  images: Images
  mediaTools: Pick<MediaTools, 'extractFrame'>
  trickplay: TrickplayStore
}

/** The signed resource of the picture of a chapter; it is also its URL path. */
export function chapterPictureResource(itemId: string, number: string | number): string {
  return `/api/v1/media/${itemId}/chapters/${number}/thumbnail`
}

/** Twice the width of the pictures of the time line, for lists of chapters. */
const WIDTH = 320

const TIMEOUT_SECONDS = 25
const MAX_BYTES = 8 * 1024 * 1024

const NUMBER = /^(?:0|[1-9]\d{0,3})$/

/**
 * The picture of a chapter: the picture of the time line at the start of the chapter, or the last one before it. If the item has no
 * pictures of the time line, a frame is extracted once and cached.
 * @param input.number of the chapter, from zero, as text of a request
 * @throws AppError `media_item_not_found`, `chapter_picture_not_found`, `picture_unreadable`, `too_many_pictures`, the errors of opening
 * the file, `tool_missing`
 */
export async function openChapterPicture(
  services: Services,
  { itemId, number }: { itemId: string; number: string },
): Promise<RenderedPicture> {
  const item = await getItem(services, itemId)
  const parts = await listItemParts(services, item.id)
  const chapter = NUMBER.test(number) ? listChapters(item, parts)[Number(number)] : undefined
  if (chapter === undefined) throw analysisErrors.chapter_picture_not_found()
  return (
    (await storedPicture(services, item.id, chapter.startSeconds)) ??
    extractedPicture(services, placeOf([item, ...parts], chapter.startSeconds))
  )
}

async function storedPicture(
  services: Services,
  itemId: string,
  startSeconds: number,
): Promise<RenderedPicture | undefined> {
  try {
    const film = await findFilmTrickplay(services, itemId)
    const placed = findPictureAt(film, startSeconds)
    const [bytes] = placed === undefined ? [] : await readFilmPictures([placed])
    if (placed === undefined || bytes === undefined) return undefined
    const etag = `${placed.set.itemId}-${placed.set.version}-${placed.picture.index}`
    return { bytes, contentType: 'image/jpeg', etag, modifiedAt: placed.set.madeAt }
  } catch (error) {
    const isMissing = error instanceof AppError && error.kind === 'not_found'
    if (!isMissing) throw error
    return undefined
  }
}

type Place = { file: MediaItemDetail; seconds: number }

/** The file that has a time of the film, and the time in it. */
function placeOf(files: readonly [MediaItemDetail, ...MediaItemDetail[]], filmSeconds: number): Place {
  let [file] = files
  let seconds = filmSeconds
  for (const next of files.slice(1)) {
    if (file.fileSeconds === null || seconds < file.fileSeconds) break
    seconds -= file.fileSeconds
    file = next
  }
  return { file, seconds }
}

async function extractedPicture(services: Services, { file, seconds }: Place): Promise<RenderedPicture> {
  if (!file.streams.some(({ type }) => type === 'video')) throw analysisErrors.chapter_picture_not_found()
  const stamp = (await findFileStamps(services, [file.id])).get(file.id)
  const open = async (): Promise<{ bytes: Buffer }> => {
    const opened = await openItemFile(services, file)
    // Opening has proven that the file lies in a library.
    await opened.handle.close()
    const limits = { timeoutSeconds: TIMEOUT_SECONDS, maxBytes: MAX_BYTES }
    const request = { input: opened.path, atSeconds: seconds, isBright: false }
    const taken = await services.mediaTools.extractFrame(request, limits)
    if (taken.kind === 'taken') return { bytes: taken.bytes }
    if (taken.kind === 'fault') throw analysisErrors.chapter_picture_not_found({ message: taken.fault.text })
    throw imageErrors.picture_unreadable({ message: 'ffmpeg could not extract a frame from the film' })
  }
  const identity = JSON.stringify(['chapter', file.id, stamp, seconds])
  const slow = { queue: 'films', isLasting: isPermanentPictureError } as const
  return services.images.render({ identity, open, slow }, { fit: 'inside', width: WIDTH, keepsTransparency: false })
}
