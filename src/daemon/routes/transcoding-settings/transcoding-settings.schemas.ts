import { Type } from 'typebox'

const success = Type.Literal(true)

const AcceleratorRow = Type.Object({
  name: Type.String(),
  encoders: Type.Array(Type.String()),
  isHardware: Type.Boolean(),
})

/** Existing clients read the same value under different keys. */
export const Accelerators = Type.Object({
  success,
  data: Type.Object({
    accelerators: Type.Array(AcceleratorRow),
    ffmpegVersion: Type.String(),
    ffmpeg_version: Type.String(),
    preferredAccelerator: Type.String(),
    preferred_accelerator: Type.String(),
    auto_detected: Type.Boolean(),
  }),
})

export const AcceleratorBody = Type.Object({ name: Type.String() })

const toneMapping = {
  tone_map_mode: Type.String(),
  tone_mapping_mode: Type.String(),
  prefer_hdr_output: Type.Boolean(),
}

export const ToneMappingReply = Type.Object({ success, data: Type.Object(toneMapping) })

export const ToneMappingBody = Type.Object({
  tone_map_mode: Type.Optional(Type.String()),
  tone_mapping_mode: Type.Optional(Type.String()),
  prefer_hdr_output: Type.Optional(Type.Boolean()),
})

const message = Type.String()

export const ChangedAccelerator = Type.Object({ success, message })

export const ChangedToneMapping = Type.Object({ success, message, data: Type.Object(toneMapping) })
