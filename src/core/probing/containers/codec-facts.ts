import type { FfprobeStream } from '../ffprobe-output.ts'

/** What a codec's own configuration, or its first frame, says about a stream, in the words of ffprobe. */
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

/** A stream about which nothing more is known than its place and kind. */
export function emptyStream(index: number, codecType: string): FfprobeStream {
  return { index, codec_type: codecType, disposition: {}, tags: {}, side_data_list: [] }
}

/** Laid over each other: the later one counts wherever it says something. */
export function mergeFacts(...parts: CodecFacts[]): CodecFacts {
  return Object.assign(
    {},
    ...parts.map((part) => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))),
  ) as CodecFacts
}
