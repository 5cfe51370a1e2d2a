import { systemErrorCode } from '../../platform/errors/index.ts'
import { freeSpaceBytes } from '../../platform/files/index.ts'
import type { SegmenterExit } from '../../platform/media-tools/index.ts'

/** Less space than any segment needs. */
const NO_SPACE_BYTES = 1024 * 1024

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT'])

/** The reason why an encoder failed to make a requested segment. */
export class EncoderFailure extends Error {
  readonly isDiskFull: boolean

  constructor(message: string, { isDiskFull = false }: { isDiskFull?: boolean } = {}) {
    super(message)
    this.isDiskFull = isDiskFull
  }
}

/** The failure of callers that still wait when ffmpeg has ended. */
export function encoderExitFailure({ exitCode, signal, fault, stderrTail }: SegmenterExit): EncoderFailure {
  const stderr = stderrTail.slice(-500).trim()
  const detail = fault?.text ?? (stderr === '' ? 'the segment is not whole' : stderr)
  return new EncoderFailure(`ffmpeg ended with ${exitCode ?? signal}: ${detail}`, {
    isDiskFull: fault?.kind === 'disk_full',
  })
}

/**
 * Whether a failure is due to a full disk: reported by ffmpeg, by a system call of this process, or by the free space of the directory,
 * because ffmpeg does not always report why a write failed.
 */
export async function isCausedByFullDisk(failure: unknown, directory: string): Promise<boolean> {
  const isReported =
    failure instanceof EncoderFailure ? failure.isDiskFull : DISK_FULL.has(systemErrorCode(failure) ?? '')
  if (isReported) return true
  const freeBytes = await freeSpaceBytes(directory).catch(() => Number.POSITIVE_INFINITY)
  return freeBytes < NO_SPACE_BYTES
}
