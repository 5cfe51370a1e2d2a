import type { Accelerator, ToneMapping } from '../../../core/streaming/index.ts'

type Accelerators = { accelerators: readonly Accelerator[]; preferred: string; ffmpegVersion: string | null }

export function acceleratorsView({ accelerators, preferred, ffmpegVersion }: Accelerators) {
  const version = ffmpegVersion ?? 'unknown'
  return {
    accelerators: accelerators.map(({ name, encoders, isHardware }) => ({ name, encoders: [...encoders], isHardware })),
    ffmpegVersion: version,
    ffmpeg_version: version,
    preferredAccelerator: preferred,
    preferred_accelerator: preferred,
    auto_detected: true,
  }
}

/** Encoded streams never have a high dynamic range. */
export function toneMappingView(mode: ToneMapping) {
  return { tone_map_mode: mode, tone_mapping_mode: mode, prefer_hdr_output: false }
}
