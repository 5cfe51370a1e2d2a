import { hash } from 'node:crypto'
import { getItem, listItemParts } from '../../catalogue/index.ts'
import type { Connection } from '../../platform/database/index.ts'
import type { Images } from '../../platform/images/index.ts'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from '../../platform/media-tools/index.ts'
import { analysisErrors } from '../errors.ts'
import type { IndexedPicture } from './formats/index-xml.ts'
import { JPEG_QUALITY, SPRITE_GRID } from './grid-geometry.ts'
import { composeGrid } from './grid-file.ts'
import { readPictureFiles, type TrickplaySet } from './read-trickplay-set.ts'
import type { TrickplayStore } from './trickplay-store.ts'

/** A picture on the time line of a film, which may have several files. */
export type TimelinePicture = Readonly<{
  set: TrickplaySet
  picture: IndexedPicture
  /** Seconds of the film. */
  startSeconds: number
  /** When the next picture applies, or the end of the film. */
  endSeconds: number
}>

/** The pictures of a film with all its files. */
export type FilmTrickplay = Readonly<{
  itemId: string
  /** The set of the first file that has pictures. */
  first: TrickplaySet
  /** Changes with each file. */
  version: string
  /** At least one picture, ordered by time. A file without a set contributes none. */
  pictures: readonly TimelinePicture[]
}>

/**
 * The pictures of the time line of an item: first of its own file, then of its further files (`cd2`).
 * @throws AppError `media_item_not_found`, `trickplay_not_found`
 */
export async function findFilmTrickplay(
  { db, trickplay }: { db: Connection; trickplay: Pick<TrickplayStore, 'find'> },
  itemId: string,
): Promise<FilmTrickplay> {
  const item = await getItem({ db }, itemId)
  const files = [item, ...(await listItemParts({ db }, item.id))]
  const sets = await trickplay.find(files.map(({ id }) => id))
  const placed: Omit<TimelinePicture, 'endSeconds'>[] = []
  const versions: string[] = []
  let fileStart = 0
  for (const { id, fileSeconds } of files) {
    const set = sets.get(id)
    if (set !== undefined) versions.push(set.version)
    for (const picture of set?.pictures ?? []) {
      // A duration that is too short must not place a picture into the next file.
      if (set === undefined || (fileSeconds !== null && picture.seconds > fileSeconds)) break
      placed.push({ set, picture, startSeconds: fileStart + picture.seconds })
    }
    fileStart += fileSeconds ?? 0
  }
  const first = placed[0]?.set
  if (first === undefined) throw analysisErrors.trickplay_not_found()
  const pictures = placed.map(({ set, picture, startSeconds }, index) => {
    const endSeconds = placed[index + 1]?.startSeconds ?? Math.max(fileStart, startSeconds + 1)
    return { set, picture, startSeconds, endSeconds }
  })
  return { itemId: item.id, first, version: hash('sha256', versions.join(' ')).slice(0, 32), pictures }
}

/** The pictures of the sprite: all, or as many as it has cells, evenly distributed over the film. Pure. */
export function chooseSpritePictures({ pictures }: Pick<FilmTrickplay, 'pictures'>): TimelinePicture[] {
  const cells = SPRITE_GRID.columns * SPRITE_GRID.rows
  if (pictures.length <= cells) return [...pictures]
  const indexes = Array.from({ length: cells }, (_, cell) => Math.floor((cell * pictures.length) / cells))
  return indexes.flatMap((index) => pictures[index] ?? [])
}

/**
 * Makes one picture of a whole film, 10 columns of 6 rows.
 * @throws AppError `trickplay_picture_not_found` when a set was removed meanwhile
 */
export async function drawSprite(
  { images }: { images: Pick<Images, 'decode' | 'encode'> },
  film: Pick<FilmTrickplay, 'pictures'>,
): Promise<Buffer> {
  const files = await readFilmPictures(chooseSpritePictures(film))
  const size = { width: PICTURE_WIDTH, height: PICTURE_HEIGHT }
  const pictures = await Promise.all(files.map((file) => images.decode(file, size)))
  return images.encode(composeGrid(pictures, SPRITE_GRID), JPEG_QUALITY)
}

/** Reads the JPEG files of pictures of a film, in their order. */
export async function readFilmPictures(pictures: readonly TimelinePicture[]): Promise<Buffer[]> {
  const files: Buffer[] = []
  for (const [set, group] of Map.groupBy(pictures, (one) => one.set)) {
    files.push(
      ...(await readPictureFiles(
        set,
        group.map(({ picture }) => picture),
      )),
    )
  }
  return files
}

/** The picture that applies at a time: the last at or before it. */
export function findPictureAt(
  { pictures }: Pick<FilmTrickplay, 'pictures'>,
  seconds: number,
): TimelinePicture | undefined {
  return pictures.findLast(({ startSeconds }) => startSeconds <= seconds) ?? pictures[0]
}
