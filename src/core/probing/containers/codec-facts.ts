import type { FfprobeStream } from '../ffprobe-output.ts'

/** Properties of a stream from its codec configuration or first frame, in the terms of ffprobe. */
export type CodecFacts = Partial<
  Pick<
    FfprobeStream,
    | 'codec_name'
    | 'profile'
    | 'level'
    | 'width'
    | 'height'
    | 'sample_aspect_ratio'
    | 'pix_fmt'
    | 'field_order'
    | 'color_transfer'
    | 'bit_rate'
    | 'channels'
    | 'channel_layout'
    | 'sample_rate'
  >
>

/** Returns a stream with index and type only. */
export function emptyStream(index: number, codecType: string): FfprobeStream {
  return { index, codec_type: codecType, disposition: {}, tags: {}, side_data_list: [] }
}

/** Merges facts; later values take precedence. */
export function mergeStreamFacts(...parts: CodecFacts[]): CodecFacts {
  return Object.assign(
    {},
    ...parts.map((part) => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))),
  ) as CodecFacts
}
