import { isAbsolute } from 'node:path'

/**
 * Containers that are opened, by the names of ffmpeg's demuxers. Playlists, concatenation scripts, image sequences and network
 * protocols are not among them: behind a harmless extension they make ffmpeg open other files (measured, M3).
 */
const FORMATS =
  `mov mp4 m4a 3gp 3g2 mj2 matroska webm avi flv asf mpegts mpeg mpegvideo mxf dv rm wtv ivf ogg flac mp3 wav w64
  aiff caf aac ac3 eac3 dts dtshd truehd ape tta wv mpc mpc8 dsf amr`
    .split(/\s+/)
    .join(',')

/** One block of memory that a hostile header can ask for; a frame of 8K video with ten bits needs less than half. */
const MAX_BLOCK_BYTES = 512 * 1024 * 1024

/**
 * The words that open a media file for reading, with every restriction before the name and the name as one unambiguous word
 * (security M3 to M5): a leading dash, a colon or a pipe in it are then nothing but letters.
 */
export function inputArguments(absolutePath: string): string[] {
  const limits = ['-max_alloc', String(MAX_BLOCK_BYTES), '-protocol_whitelist', 'file', '-format_whitelist', FORMATS]
  return [...limits, '-i', filePath(absolutePath)]
}

/** The word that names a file to write. A `%` is refused: several muxers would read it as a number's place (M5). */
export function outputPath(absolutePath: string): string {
  if (absolutePath.includes('%')) throw new RangeError(`a path to write must not hold a percent sign: ${absolutePath}`)
  return filePath(absolutePath)
}

/** The word that names the pieces in a folder, numbered with five digits; a percent sign in the folder's name stays one. */
export function segmentPattern(folder: string): string {
  return `${filePath(folder).replaceAll('%', '%%')}/%05d.ts`
}

function filePath(absolutePath: string): string {
  if (!isAbsolute(absolutePath) || absolutePath.includes('\0')) {
    throw new RangeError(`not an absolute path: ${JSON.stringify(absolutePath)}`)
  }
  return `file:${absolutePath}`
}
