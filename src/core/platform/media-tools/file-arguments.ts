import { isAbsolute } from 'node:path'
import { DECODERS } from './decoders.ts'

/**
 * Containers that are allowed, by the names of ffmpeg's demuxers. Playlists, concatenation scripts, image sequences and network protocols
 * are excluded: behind a harmless extension they make ffmpeg open other files (measured).
 */
const FORMATS =
  `mov mp4 m4a 3gp 3g2 mj2 matroska webm avi flv asf mpegts mpeg mpegvideo mxf dv rm wtv ivf ogg flac mp3 wav w64
  aiff caf aac ac3 eac3 dts dtshd truehd ape tta wv mpc mpc8 dsf amr`
    .split(/\s+/)
    .join(',')

/** The largest single allocation that a malicious header can cause; a frame of 8K video with ten bits needs less than half. */
const MAX_BLOCK_BYTES = 512 * 1024 * 1024

/**
 * The arguments that open a media file for reading, with all restrictions before the name and the name as one unambiguous argument: a
 * leading dash, a colon or a pipe in it has no special meaning.
 * @param options.openedDecoders that ffprobe may open in addition, for streams that it lists without decoding
 */
export function inputArguments(
  absolutePath: string,
  { openedDecoders = [] }: { openedDecoders?: readonly string[] } = {},
): string[] {
  const opened = openedDecoders.length === 0 ? [] : openedDecoderArguments(openedDecoders)
  return [...limits('file', FORMATS), ...opened, '-i', filePath(absolutePath)]
}

/** The arguments that read what another program writes in a known format to the standard input, with the same restrictions. */
export function pipeArguments(format: string): string[] {
  return [...limits('pipe', format), '-f', format, '-i', 'pipe:0']
}

function limits(protocol: string, formats: string): string[] {
  const decoders = ['-codec_whitelist', DECODERS.join(',')]
  const opened = ['-protocol_whitelist', protocol, '-format_whitelist', formats]
  return ['-max_alloc', String(MAX_BLOCK_BYTES), ...opened, ...decoders]
}

/**
 * A list with a stream type applies to ffprobe's own decoders; a list without a stream type also applies to the library's stream analysis.
 */
function openedDecoderArguments(decoders: readonly string[]): string[] {
  return ['v', 'a', 's'].flatMap((kind) => [`-codec_whitelist:${kind}`, [...DECODERS, ...decoders].join(',')])
}

/** The argument for an output file. A `%` is refused, because several muxers interpret it as a number placeholder. */
export function outputPath(absolutePath: string): string {
  if (absolutePath.includes('%')) throw new RangeError(`a path to write must not hold a percent sign: ${absolutePath}`)
  return filePath(absolutePath)
}

/** The argument for the segments in a folder, numbered with five digits. Percent signs in the folder's name are escaped. */
export function segmentPattern(folder: string): string {
  return `${filePath(folder).replaceAll('%', '%%')}/%05d.ts`
}

function filePath(absolutePath: string): string {
  if (!isAbsolute(absolutePath) || absolutePath.includes('\0')) {
    throw new RangeError(`not an absolute path: ${JSON.stringify(absolutePath)}`)
  }
  return `file:${absolutePath}`
}
