import {
  cellPosition,
  gridFileName,
  gridIndexOfPicture,
  PICTURES_PER_GRID,
  SPRITE_GRID,
  chooseSpritePictures,
  STORED_GRID,
  TRICKPLAY_NAMES,
  trickplayResource,
  writeImagePlaylist,
  writeStoryboard,
  type TimelinePicture,
  type FilmTrickplay,
} from '../../../core/analysis/index.ts'
import type { UrlSigner } from '../../../core/platform/keys/index.ts'
import { PICTURE_HEIGHT, PICTURE_INTERVAL_SECONDS, PICTURE_WIDTH } from '../../../core/platform/media-tools/index.ts'

type Signer = Pick<UrlSigner, 'sign'>

/** A file with pictures of an item: the id of the item, the name of the file, the version of the pictures. */
type PictureFile = { id: string; name: string; version: string }

type AddressOf = (file: PictureFile) => string

/** A grid of a film with its pictures. */
type FilmGrid = { url: string; pictures: [TimelinePicture, ...TimelinePicture[]] }

/** The pictures of the time line of an item, in the formats that players read. */
export function itemTrickplayView(film: FilmTrickplay, signer: Signer) {
  const { itemId } = film
  const urlOf = (name: string, { version }: { version: string } = film): string =>
    signedUrl(signer, { id: itemId, name, version })
  return {
    item_id: itemId,
    sprite_url: urlOf(TRICKPLAY_NAMES.sprite),
    sprite_columns: SPRITE_GRID.columns,
    sprite_rows: SPRITE_GRID.rows,
    ...pictureTimesView(film),
    timeline_url: urlOf(TRICKPLAY_NAMES.timeline),
    interval_seconds: PICTURE_INTERVAL_SECONDS,
    thumbnail_width: PICTURE_WIDTH,
    thumbnail_height: PICTURE_HEIGHT,
    columns: STORED_GRID.columns,
    rows: STORED_GRID.rows,
    thumbnail_count: film.pictures.length,
    grids: gridsOf(film, (file) => signedUrl(signer, file)).map(({ url, pictures }) => ({
      url,
      start_seconds: pictures[0].startSeconds,
      count: pictures.length,
    })),
    index_url: urlOf(TRICKPLAY_NAMES.index, film.first),
    vtt_url: urlOf(TRICKPLAY_NAMES.storyboard),
    bif_url: urlOf(TRICKPLAY_NAMES.bif),
    playlist_url: urlOf(TRICKPLAY_NAMES.playlist),
  }
}

/** The time of each picture of the sprite. */
export function pictureTimesView(film: Pick<FilmTrickplay, 'pictures'>) {
  return { timeline: chooseSpritePictures(film).map(({ startSeconds }, frame) => ({ seconds: startSeconds, frame })) }
}

/** The address of the storyboard of an item with pictures. The address does not depend on the version of the pictures. */
export function storyboardUrl(itemId: string, signer: Signer): string {
  const resource = trickplayResource(itemId)
  const { exp, sig } = signer.sign(resource)
  return `${resource}${TRICKPLAY_NAMES.storyboard}?exp=${exp}&sig=${sig}`
}

/** The storyboard of a film, with addresses of its grids. */
export function storyboardText(film: FilmTrickplay, signer: Signer): string {
  return storyboardWithAddresses(film, (file) => signedUrl(signer, file))
}

/** The storyboard of a film with other addresses of its grids. */
export function storyboardWithAddresses(film: FilmTrickplay, addressOf: AddressOf): string {
  const cues = gridsOf(film, addressOf).flatMap(({ url, pictures }) =>
    pictures.map(({ picture, startSeconds, endSeconds }) => {
      const { x, y } = cellPosition(picture.index % PICTURES_PER_GRID, STORED_GRID)
      return { startSeconds, endSeconds, url, x, y }
    }),
  )
  return writeStoryboard(cues)
}

/** The image playlist of a film, with addresses of its grids. */
export function imagePlaylistText(film: FilmTrickplay, signer: Signer): string {
  const grids = gridsOf(film, (file) => signedUrl(signer, file)).map(({ url, pictures }) => {
    const last = pictures.at(-1) ?? pictures[0]
    return { url, durationSeconds: last.endSeconds - pictures[0].startSeconds }
  })
  return writeImagePlaylist(grids)
}

function gridsOf({ pictures }: FilmTrickplay, addressOf: AddressOf): FilmGrid[] {
  const grids: FilmGrid[] = []
  for (const one of pictures) {
    const last = grids.at(-1)
    const [first] = last?.pictures ?? []
    const isSame =
      first?.set === one.set && gridIndexOfPicture(first.picture.index) === gridIndexOfPicture(one.picture.index)
    if (last !== undefined && isSame) {
      last.pictures.push(one)
      continue
    }
    const { itemId: id, version } = one.set
    const name = gridFileName(gridIndexOfPicture(one.picture.index))
    grids.push({ url: addressOf({ id, name, version }), pictures: [one] })
  }
  return grids
}

/** The signature covers all files of the item; the version makes the address change with the file. */
function signedUrl(signer: Signer, { id, name, version }: PictureFile): string {
  const resource = trickplayResource(id)
  const { exp, sig } = signer.sign(resource)
  return `${resource}${name}?exp=${exp}&sig=${sig}&v=${version}`
}
