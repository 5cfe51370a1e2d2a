import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startPipedTool, type Isolation, type PipedTool } from '../spawn/index.ts'
import { analysisArguments, decoderArguments, type PictureRequest } from './analysis-arguments.ts'

type Film = { input: string; pictures: PictureRequest | null; sound: number | null }

type Start = { program: string; commonArguments: readonly string[]; isolation: Isolation; niceness: number }

/** The running programs of an analysis, as one tool. */
export type FilmReader = Pick<PipedTool, 'ended' | 'stderrTail' | 'kill'> & {
  readonly pictures: Readable | undefined
  readonly fingerprint: Readable | undefined
  readonly progress: Readable | undefined
}

/**
 * Starts the ffmpeg that reads a film. When only the shown key frames are decoded, one ffmpeg selects their packets and a second ffmpeg
 * decodes them, because an ffmpeg cannot drop packets before its own decoder. A film whose key frames cannot be selected ends as if it had
 * been killed.
 */
export function startFilmReader({ commonArguments, ...start }: Start, film: Film): FilmReader {
  const { pictures } = film
  const isSelected = pictures?.frames === 'shown_key'
  const args = [...commonArguments, ...analysisArguments(film)]
  const reader = startPipedTool({ ...start, arguments: args, outputs: isSelected ? 4 : 3 })
  const [video, fingerprint, progress, unselectable] = reader.outputs
  if (!isSelected) return { ...reader, pictures: video, fingerprint, progress }
  const decoded = [...commonArguments, ...decoderArguments(pictures)]
  const decoder = startPipedTool({ ...start, arguments: decoded, outputs: 1, hasInput: true })
  // How the programs ended is known separately.
  if (video !== undefined && decoder.input !== null) pipeline(video, decoder.input).catch(() => {})
  let isSelectable = true
  unselectable?.once('data', () => {
    isSelectable = false
    reader.kill()
  })
  return {
    pictures: decoder.outputs[0],
    fingerprint,
    progress,
    ended: Promise.all([reader.ended, decoder.ended]).then(([ofReader, ofDecoder]) => {
      if (!isSelectable) return { ...ofReader, exitCode: null, signal: 'SIGKILL' }
      // A program that failed because the other one had ended is not the cause.
      return ofDecoder.outcome === 'exited' && ofDecoder.exitCode === 0 ? ofReader : ofDecoder
    }),
    stderrTail: () => reader.stderrTail() + decoder.stderrTail(),
    kill() {
      reader.kill()
      decoder.kill()
    },
  }
}
