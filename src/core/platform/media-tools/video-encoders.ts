import { runTool, type Isolation } from '../spawn/index.ts'
import { mediaToolErrors } from './errors.ts'
import { requireStarted } from './tool-presence.ts'

/** A video encoder of this ffmpeg, for example `h264_vaapi` for the codec `h264`. */
export type VideoEncoder = Readonly<{ name: string; codec: string }>

const TIMEOUT_SECONDS = 10

/** See `MediaTools.videoEncoders`. */
export async function listVideoEncoders({
  program,
  isolation,
}: {
  program: string
  isolation: Isolation
}): Promise<VideoEncoder[]> {
  const args = ['-hide_banner', '-encoders']
  const result = await runTool({ program, arguments: args, timeoutSeconds: TIMEOUT_SECONDS, isolation })
  requireStarted('ffmpeg', program, result)
  if (result.outcome === 'exited' && result.exitCode === 0) return parseVideoEncoders(result.stdout.toString())
  throw mediaToolErrors.tool_failed({ message: 'ffmpeg does not list its encoders' })
}

/** One line of the list: six flags of which the first is the kind, the name, the description. */
const LINE = /^ V[A-Z.]{5} ([\w-]{1,60}) (.*)$/
/** The description ends with the codec, unless the encoder is named after it. */
const CODEC = /\(codec (\w{1,40})\)$/

/** Parses the output of `ffmpeg -encoders`. Lines of another form are skipped: the legend, and encoders of audio and subtitles. */
export function parseVideoEncoders(output: string): VideoEncoder[] {
  return output.split('\n').flatMap((line) => {
    const [, name, description = ''] = LINE.exec(line.trimEnd()) ?? []
    return name === undefined ? [] : [{ name, codec: CODEC.exec(description)?.[1] ?? name }]
  })
}
