import { z } from 'zod'
import type { MediaItem } from '../../catalogue/index.ts'
import type { Bandwidth } from '../ladder/bit-rates.ts'

const Whole = z.int().positive().nullable()
/** Earlier releases did not store all of these fields. */
const Text = z.string().nullable().default(null)

/** The fields of a stored source profile that streaming needs. */
const StoredProfile = z.object({
  width: Whole,
  height: Whole,
  bitrate: Whole,
  videoCodec: Text,
  videoProfile: Text,
  videoLevel: Whole.default(null),
  pixelFormat: Text,
  rotationDegrees: z.number().default(0),
  hasAudio: z.boolean(),
  audioCodec: z.string().nullable(),
  audioProfile: Text,
  audioBitrate: Whole.default(null),
  audioChannels: Whole.default(null),
  audioSampleRate: Whole,
  videoStreamIndex: z.int().nonnegative(),
  audioStreamIndex: z.int().nonnegative().nullable(),
  isInterlaced: z.boolean(),
  colorTransfer: z.string().nullable(),
  frameRate: z.string().nullable(),
  containerStartSeconds: z.number(),
  videoStartSeconds: z.number(),
  audioStartSeconds: z.number().nullable(),
})

/** A film as found at scan time, with the properties of its file that do not belong to a stream. */
export type FilmSource = Readonly<z.infer<typeof StoredProfile>> &
  Readonly<{
    durationSeconds: number
    container: string
    isCuttable: boolean | null
    copiedRates: Bandwidth | null
    hasAdditionalAudio: boolean
  }>

/**
 * Returns the source profile of an item, or undefined if there is no usable one: the file was never read, or has no video. Stored data is
 * validated, because an older release may have written it.
 */
export function loadFilmSource(
  item: Pick<MediaItem, 'metadata' | 'fileSeconds' | 'container'>,
): FilmSource | undefined {
  const profile = StoredProfile.safeParse(item.metadata['source']).data
  const { fileSeconds: durationSeconds, container } = item
  if (profile === undefined || durationSeconds === null || durationSeconds <= 0) return undefined
  return {
    ...profile,
    durationSeconds,
    container: container ?? '',
    isCuttable: null,
    copiedRates: null,
    hasAdditionalAudio: false,
  }
}
