import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaTools } from '../media-tools/index.ts'
import { imageErrors } from './errors.ts'

/** Larger than the pictures that are served, and small enough for ffmpeg's temporary file. */
const MAX_PIXELS_A_SIDE = 4096
const LIMIT_SECONDS = 20

/**
 * Decodes a HEIC picture to JPEG with the heif-convert or ffmpeg of the system. The product has no decoder of its own, because HEVC is
 * patented.
 * @param path absolute, verified to be inside a library
 * @param directory holds the JPEG temporarily
 * @param use receives the path of the JPEG, which exists until `use` returns; the file is never read as a whole
 * @throws AppError `heic_decoder_missing`, `tool_missing`, and errors of `use`
 */
export async function decodeHeic<Result>(
  mediaTools: MediaTools,
  { path, directory }: { path: string; directory: string },
  use: (jpeg: string) => Promise<Result>,
): Promise<Result> {
  // A separate folder, because heif-convert writes additional files beside its output.
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
