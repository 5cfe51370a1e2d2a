import { mediaToolErrors, type MediaTools } from '../platform/media-tools/index.ts'
import { FfprobeOutput } from './ffprobe-output.ts'
import type { ProbedFile } from './probed-file.ts'
import { toProbedFile } from './to-probed-file.ts'

/**
 * Probes a media file with ffprobe. `path` is absolute.
 * @throws AppError `unreadable_media` with a reason if it is no media, or has neither video nor audio, or no duration; `tool_missing`,
 * `tool_failed`; the signal's reason
 */
export async function probeFile(
  { mediaTools }: { mediaTools: Pick<MediaTools, 'probe'> },
  path: string,
  signal?: AbortSignal,
): Promise<ProbedFile> {
  const parsed = FfprobeOutput.safeParse(await mediaTools.probe(path, signal))
  if (!parsed.success) {
    throw mediaToolErrors.tool_failed({
      message: 'the output of ffprobe does not have the expected format',
      cause: parsed.error,
    })
  }
  return toProbedFile(parsed.data, path)
}
