import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freeSpaceBytes } from '../platform/files/index.ts'
import type { MediaTools } from '../platform/media-tools/index.ts'
import { textOutputArgs, type TextStream } from './text-output-args.ts'

type Tools = { mediaTools: Pick<MediaTools, 'encode'>; draftFolder: string }

export type SubtitleExtraction = {
  path: string
  /** Contains at least one stream. */
  streams: readonly TextStream[]
  /** Minimum free space on the disk. */
  floorBytes: number
}

/** Size limit of a text, larger than any script; longer texts are truncated. Also the limit of a separate subtitle file. */
export const MAX_TEXT_BYTES = 16 * 1024 * 1024

/** Enough for a film of a hundred gigabytes on a slow disk. */
const TIME_LIMIT_SECONDS = 1800

/** Lower priority than the encoders, which viewers wait for. */
const NICENESS = 10

/**
 * Reads a film once and yields the text of each stream in order.
 * @throws AppError `tool_missing`; an Error with the reason of the failure; the signal's reason when aborted
 */
export async function* extractSubtitleTexts(
  { mediaTools, draftFolder }: Tools,
  { path, streams, floorBytes }: SubtitleExtraction,
  signal: AbortSignal,
): AsyncGenerator<{ streamIndex: number; bytes: Buffer }> {
  await mkdir(draftFolder, { recursive: true, mode: 0o700 })
  if ((await freeSpaceBytes(draftFolder)) < floorBytes) throw new Error('the disk is full')
  const folder = join(draftFolder, `${randomUUID()}.part`)
  await mkdir(folder, { mode: 0o700 })
  const outputs = streams.map((stream) => ({
    streamIndex: stream.streamIndex,
    output: join(folder, `${stream.streamIndex}`),
    after: textOutputArgs(stream, MAX_TEXT_BYTES),
  }))
  const [first, ...further] = outputs
  try {
    if (first === undefined) return
    const limits = { signal, niceness: NICENESS, timeoutSeconds: TIME_LIMIT_SECONDS }
    const { isComplete, fault, stderrTail } = await mediaTools.encode({ input: path, ...first, further }, limits)
    signal.throwIfAborted()
    if (!isComplete) throw new Error(fault?.text ?? stderrTail)
    for (const { streamIndex, output } of outputs) yield { streamIndex, bytes: await readFile(output) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
