import { z } from 'zod'

const Tags = z.record(z.string(), z.string()).default({})

const Stream = z.object({
  index: z.int().nonnegative(),
  codec_type: z.string().default('data'),
  codec_name: z.string().optional(),
  profile: z.union([z.string(), z.number()]).optional(),
  level: z.number().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  sample_aspect_ratio: z.string().optional(),
  pix_fmt: z.string().optional(),
  field_order: z.string().optional(),
  color_transfer: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  r_frame_rate: z.string().optional(),
  start_time: z.string().optional(),
  duration: z.string().optional(),
  bit_rate: z.string().optional(),
  nb_frames: z.string().optional(),
  channels: z.number().optional(),
  channel_layout: z.string().optional(),
  sample_rate: z.string().optional(),
  disposition: z.record(z.string(), z.number()).default({}),
  tags: Tags,
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).default([]),
})

const Chapter = z.object({
  start_time: z.string().optional(),
  end_time: z.string().optional(),
  tags: Tags,
})

/** The parsed part of ffprobe's JSON. Numbers that may be long or missing are strings. */
export const FfprobeOutput = z.object({
  format: z.object({
    format_name: z.string(),
    start_time: z.string().optional(),
    duration: z.string().optional(),
    bit_rate: z.string().optional(),
    tags: Tags,
  }),
  streams: z.array(Stream).default([]),
  chapters: z.array(Chapter).default([]),
})

export type FfprobeOutput = z.infer<typeof FfprobeOutput>
export type FfprobeStream = z.infer<typeof Stream>
