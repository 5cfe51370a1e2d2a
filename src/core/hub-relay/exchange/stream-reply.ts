import type { Writable } from 'node:stream'
import type { BandwidthLimiter } from '../limits/bandwidth-limiter.ts'
import { closeStream, isReplyComplete, type ReplyStream } from './open-reply.ts'

/** A reply whose home server sends nothing for this time ends. Time in which the viewer is the slower side does not count. */
export const STALL_MILLISECONDS = 30_000

export type StreamReplyInput = ReplyStream & {
  /** The viewer; its head was sent. */
  output: Writable
  stallMilliseconds: number
  bandwidth: BandwidthLimiter | undefined
  /** Ends the reply. */
  signal: AbortSignal
  onBytes: (count: number) => void
}

/**
 * Passes a body on as it arrives. Nothing is read from the tunnel while the viewer has unread bytes, so that the window of the stream fills
 * and the home server stops reading its file. A body that does not end properly destroys the connection of the viewer, because a fixed
 * length could otherwise seem complete.
 * @returns whether the viewer has the whole body; resolves when both sides are closed. It never rejects
 */
export function streamReply(input: StreamReplyInput): Promise<boolean> {
  const { stream, output, stallMilliseconds, bandwidth, signal, onBytes } = input
  return new Promise((resolve) => {
    let stall: NodeJS.Timeout | undefined
    let pause: NodeJS.Timeout | undefined
    let isOutputFull = false
    let isEnded = false

    const waitForHome = (): void => {
      clearTimeout(stall)
      stall = setTimeout(fail, stallMilliseconds)
    }
    const resume = (): void => {
      if (isOutputFull || pause !== undefined || isEnded) return
      waitForHome()
      stream.resume()
    }
    const onData = (chunk: Buffer): void => {
      onBytes(chunk.length)
      isOutputFull = !output.write(chunk)
      const milliseconds = bandwidth?.spend(chunk.length) ?? 0
      if (milliseconds > 0 && pause === undefined)
        pause = setTimeout(() => {
          pause = undefined
          resume()
        }, milliseconds)
      if (!isOutputFull && pause === undefined) return void stall?.refresh()
      clearTimeout(stall)
      stream.pause()
    }
    const onDrain = (): void => {
      isOutputFull = false
      resume()
    }
    const onEnd = (): void => {
      if (isEnded) return
      isEnded = true
      clearTimeout(stall)
      if (isReplyComplete(input)) output.end()
      else fail()
    }
    const onOutputClose = (): void => {
      clearTimeout(stall)
      clearTimeout(pause)
      signal.removeEventListener('abort', fail)
      closeStream(stream)
      resolve(output.writableFinished)
    }
    function fail(): void {
      output.destroy()
    }

    output.on('drain', onDrain)
    output.on('error', fail)
    output.once('close', onOutputClose)
    signal.addEventListener('abort', fail, { once: true })
    stream.on('data', onData).once('end', onEnd).once('close', onEnd)
    resume()
    if (signal.aborted) fail()
    if (stream.destroyed) onEnd()
    if (output.closed) onOutputClose()
  })
}
