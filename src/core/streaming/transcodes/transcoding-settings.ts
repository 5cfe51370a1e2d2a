import type { Config } from '../../platform/config/index.ts'
import type { Database } from '../../platform/database/index.ts'
import { AppError } from '../../platform/errors/index.ts'
import type { MediaTools } from '../../platform/media-tools/index.ts'
import { changeSettings, readSetting } from '../../platform/settings/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { streamingErrors } from '../errors.ts'

/** An encoder family for video. */
export type Accelerator = { name: string; encoders: readonly string[]; isHardware: boolean }

const SOFTWARE: Accelerator = { name: 'software', encoders: ['libx264'], isHardware: false }

const TONE_MAPPINGS = ['zscale', 'none'] as const
export type ToneMapping = (typeof TONE_MAPPINGS)[number]

/** Returns the accelerators in use, the preferred one, and the version of ffmpeg; null if ffmpeg cannot be started. */
export async function listAccelerators({ mediaTools }: { mediaTools: Pick<MediaTools, 'version'> }): Promise<{
  accelerators: readonly Accelerator[]
  preferred: string
  ffmpegVersion: string | null
}> {
  return { accelerators: [SOFTWARE], preferred: SOFTWARE.name, ffmpegVersion: await ffmpegVersion(mediaTools) }
}

/**
 * Sets the preferred accelerator.
 * @throws AppError `accelerator_unknown` for an accelerator that the server does not use
 */
export function setPreferredAccelerator(name: string): void {
  if (name === SOFTWARE.name) return
  throw streamingErrors.accelerator_unknown({
    message: `${name.slice(0, 100)} is not available: this server encodes in software`,
  })
}

type Dependencies = { config: Config; db: Database; clock: Clock }

/** Returns the current tone mapping. */
export function getToneMapping(services: Pick<Dependencies, 'config' | 'db'>): Promise<ToneMapping> {
  return readSetting(services, 'hls.tone_mapping')
}

/**
 * Changes the tone mapping of streams started from now on. Absent values are not changed.
 * @throws AppError `tone_mapping_unavailable`, `hdr_output_unavailable`, `setting_locked`
 */
export async function changeToneMapping(
  services: Dependencies,
  { mode, prefersHdrOutput = false }: { mode?: string | undefined; prefersHdrOutput?: boolean | undefined },
): Promise<ToneMapping> {
  if (prefersHdrOutput) {
    throw streamingErrors.hdr_output_unavailable({ message: 'streams that are encoded have standard dynamic range' })
  }
  const before = await getToneMapping(services)
  if (mode === undefined || mode === before) return before
  const wanted = TONE_MAPPINGS.find((one) => one === mode)
  if (wanted === undefined) {
    const message = `${mode.slice(0, 100)} is not available: use ${TONE_MAPPINGS.join(' or ')}`
    throw streamingErrors.tone_mapping_unavailable({ message })
  }
  await changeSettings(services, { 'hls.tone_mapping': wanted })
  return wanted
}

async function ffmpegVersion(mediaTools: Pick<MediaTools, 'version'>): Promise<string | null> {
  try {
    return (await mediaTools.version('ffmpeg')).text
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
