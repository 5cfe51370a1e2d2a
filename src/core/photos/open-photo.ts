import type { FileHandle } from 'node:fs/promises'
import { openItemFile } from '../catalogue/index.ts'
import type { GetLibraryPaths } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import {
  PICTURE_CONTENT_TYPES,
  contentTypeOfFile,
  detectPictureFormat,
  SNIFFED_BYTES,
} from '../platform/files/index.ts'
import type { Images, RenderedPicture } from '../platform/images/index.ts'
import { getPhoto } from './list-photos.ts'

export type ThumbnailRequest = {
  id: string
  width?: number | undefined
  height?: number | undefined
  fit?: 'cover' | 'contain' | 'inside' | undefined
}

const DEFAULT_PIXELS = 300
const MIN_PIXELS = 16
const MAX_PIXELS = 2000

/**
 * A photo as JPEG of the requested size, each side clamped to 16…2000. A change of the file is detected by the catalogue, so that serving
 * a cached thumbnail does not spin up a disk.
 * @throws AppError `photo_not_found`, `picture_unreadable`, `heic_decoder_missing`, `too_many_pictures`, the errors of opening files
 */
export async function renderThumbnail(
  services: { db: Connection; getLibraryPaths: GetLibraryPaths; images: Images },
  { id, width, height, fit = 'cover' }: ThumbnailRequest,
): Promise<RenderedPicture> {
  const photo = await getPhoto(services, id)
  const source = {
    identity: `photo ${photo.id} ${photo.sizeBytes} ${photo.modifiedNanoseconds}`,
    open: () => openItemFile(services, photo),
  }
  const size = { width: sideOf(width), height: sideOf(height) }
  return services.images.render(
    source,
    fit === 'inside' ? { fit, ...size, keepsTransparency: false } : { fit, ...size },
  )
}

/** `contentType`: by the first bytes of the file; null if it is no picture, whatever its name. */
export type OpenPhoto = { handle: FileHandle; contentType: string | null }

/**
 * The original file of a photo. The caller closes it.
 * @throws AppError `photo_not_found`, the errors of opening files
 */
export async function openPhoto(
  services: { db: Connection; getLibraryPaths: GetLibraryPaths },
  id: string,
): Promise<OpenPhoto> {
  const photo = await getPhoto(services, id)
  const { handle, path } = await openItemFile(services, photo)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0)
    const format = detectPictureFormat(buffer.subarray(0, bytesRead))
    return { handle, contentType: format === undefined ? null : contentTypeFor(format, path) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Raw files have the TIFF signature and are distinguished by their name alone. */
function contentTypeFor(format: keyof typeof PICTURE_CONTENT_TYPES, path: string): string {
  const named = contentTypeOfFile(path)
  const isRaw = format === 'tiff' && named.startsWith('image/x-')
  return isRaw ? named : PICTURE_CONTENT_TYPES[format]
}

function sideOf(pixels = DEFAULT_PIXELS): number {
  return Math.min(Math.max(Math.trunc(pixels), MIN_PIXELS), MAX_PIXELS)
}
