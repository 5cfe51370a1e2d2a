import { requestJson } from '../api.js'

/** The largest size of a photo on the screen. */
const MAX_PIXELS = 2000

/** The name of a photo, and its addresses: the picture in a size for the screen, and the file. */
export async function addressesOfPhoto(id) {
  const { photo } = await requestJson(`/api/v1/photo/photos/${id}`)
  const { name: title, width, height, thumbnail_url: thumbnailUrl, full_url: saveUrl } = photo
  const scale = Math.min(1, MAX_PIXELS / Math.max(width ?? MAX_PIXELS, height ?? MAX_PIXELS))
  const [w, h] = [width, height].map((pixels) => Math.max(16, Math.round((pixels ?? MAX_PIXELS) * scale)))
  return { title, pictureUrl: `${thumbnailUrl}&w=${w}&h=${h}&fit=contain`, saveUrl }
}
