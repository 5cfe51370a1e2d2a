import type { Readable } from 'node:stream'
import { PICTURE_BYTES } from './analysis-arguments.ts'
import type { StallTimer } from './stall-timer.ts'

export type PictureConsumer = {
  /** A further picture ends the analysis: a damaged clock can produce them without end. */
  maxPictures: number
  /**
   * Receives one picture after the other, each as 160x90 pixels of three bytes. ffmpeg waits while it runs. Its error ends the analysis and
   * is thrown.
   */
  onPicture: (rgb: Buffer, index: number) => Promise<void> | void
}

/** What the readers of all outputs share. */
type Reader = {
  timer: StallTimer
  /** The analysis was ended; what is read afterwards is of no use. */
  isInterrupted: () => boolean
  /** Ends the analysis because an output is too large. */
  end: () => void
}

/** Hashes of 140 hours. */
const MAX_FINGERPRINT_BYTES = 16 * 1024 * 1024

/**
 * Reads whole pictures and gives each to the consumer before the next is read. The rest of an incomplete picture is dropped.
 * @returns the number of pictures
 * @throws the error of the consumer
 */
export async function streamPictures(
  output: Readable | undefined,
  request: PictureConsumer | null,
  { timer, isInterrupted, end }: Reader,
): Promise<number> {
  let count = 0
  let picture = Buffer.alloc(PICTURE_BYTES)
  let filled = 0
  for await (const chunk of chunksOf(output)) {
    timer.progress()
    for (let at = 0; at < chunk.length;) {
      if (request === null || count === request.maxPictures) {
        end()
        return count
      }
      const copied = chunk.copy(picture, filled, at)
      at += copied
      filled += copied
      if (filled < PICTURE_BYTES) continue
      const whole = picture
      await timer.whileWaiting(() => request.onPicture(whole, count))
      if (isInterrupted()) return count
      count += 1
      // The consumer may keep the picture.
      picture = Buffer.alloc(PICTURE_BYTES)
      filled = 0
    }
  }
  return count
}

/** Reads the fingerprint; ends the analysis when it exceeds its size limit. */
export async function collectFingerprint(output: Readable | undefined, { timer, end }: Reader): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunksOf(output)) {
    timer.progress()
    bytes += chunk.length
    if (bytes > MAX_FINGERPRINT_BYTES) {
      end()
      break
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The values of a report that grow with the film. The others also change while ffmpeg waits. */
const PROGRESS_LINE = /^(?:frame|out_time_us|total_size)=\d/

const MAX_REPORT_CHARACTERS = 4096

/** Reads ffmpeg's reports. A fingerprint has no output before the end of the film, so that they are its only progress. */
export async function monitorProgress(output: Readable | undefined, { timer }: Reader): Promise<void> {
  let partial = ''
  const last = new Map<string, string>()
  for await (const chunk of chunksOf(output)) {
    const lines = (partial + chunk.toString('latin1')).split('\n')
    partial = (lines.pop() ?? '').slice(-MAX_REPORT_CHARACTERS)
    for (const line of lines) {
      const [name = ''] = line.split('=', 1)
      if (!PROGRESS_LINE.test(line) || last.get(name) === line) continue
      last.set(name, line)
      timer.progress()
    }
  }
}

/** The content of an output up to its end. An output that was closed early ends there. */
async function* chunksOf(output: Readable | undefined): AsyncGenerator<Buffer> {
  if (output === undefined) return
  try {
    for await (const chunk of output) yield chunk as Buffer
  } catch {
    // How the program ended is known separately.
  }
}
