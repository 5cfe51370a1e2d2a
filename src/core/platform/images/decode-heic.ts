import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaTools } from '../media-tools/index.ts'
import { imageErrors } from './errors.ts'

/** No screen shows more, and ffmpeg's copy stays small. */
const WIDEST_PIXELS = 4096
const LIMIT_SECONDS = 20

/**
 * A HEIC picture as JPEG, decoded by the system's heif-convert or ffmpeg, whichever can: our own decoder must not, for HEVC is patented.
 * @param path absolute, proven to lie in a library
 * @param directory where the JPEG is written for a moment
 * @throws AppError `heic_decoder_missing`, `tool_missing`
 */
export async function decodeHeic(mediaTools: MediaTools, path: string, directory: string): Promise<Buffer> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const output = join(directory, `${randomUUID()}.jpg`)
  try {
    if (await mediaTools.convertHeif({ input: path, output }, LIMIT_SECONDS)) return await readFile(output)
    const scale = `scale='min(${WIDEST_PIXELS},iw)':-2`
    const after = ['-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-q:v', '2', '-f', 'mjpeg']
    const { isComplete } = await mediaTools.encode({ input: path, output, after }, { timeoutSeconds: LIMIT_SECONDS })
    if (!isComplete) throw imageErrors.heic_decoder_missing()
    return await readFile(output)
  } finally {
    await rm(output, { force: true })
  }
}
