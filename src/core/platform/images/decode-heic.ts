import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaTools } from '../media-tools/index.ts'
import { imageErrors } from './errors.ts'

/** No screen shows more, and ffmpeg's copy stays small. */
const MAX_PIXELS_A_SIDE = 4096
const LIMIT_SECONDS = 20

/**
 * A HEIC picture as JPEG, decoded by the system's heif-convert or ffmpeg, whichever can: our own decoder must not, for HEVC is patented.
 * @param path absolute, proven to lie in a library
 * @param directory where the JPEG lies for a moment
 * @param use gets the path of the JPEG, so that nobody reads it as a whole; it is there until `use` is done
 * @throws AppError `heic_decoder_missing`, `tool_missing`, and what `use` throws
 */
export async function decodeHeic<Result>(
  mediaTools: MediaTools,
  { path, directory }: { path: string; directory: string },
  use: (jpeg: string) => Promise<Result>,
): Promise<Result> {
  // A folder of its own: heif-convert writes further files beside the one that it is told.
  const folder = join(directory, `${randomUUID()}.part`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const converted = await mediaTools.convertHeif({ input: path, folder }, LIMIT_SECONDS)
    return await use(converted ?? (await decodeWithFfmpeg(mediaTools, path, folder)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function decodeWithFfmpeg(mediaTools: MediaTools, path: string, folder: string): Promise<string> {
  const output = join(folder, 'decoded.jpg')
  const sides = ['iw', 'ih'].map((side) => `'min(${MAX_PIXELS_A_SIDE},${side})'`)
  const scale = `scale=${sides.join(':')}:force_original_aspect_ratio=decrease`
  const after = ['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-q:v', '2', '-f', 'mjpeg']
  const { isComplete } = await mediaTools.encode({ input: path, output, after }, { timeoutSeconds: LIMIT_SECONDS })
  if (!isComplete) throw imageErrors.heic_decoder_missing()
  return output
}
