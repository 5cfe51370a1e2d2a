import type { ExifTags } from './exif-tags.ts'
import type { PhotoTime } from './probed-photo.ts'
import { parseUtcOffset, parseLocalTime, formatLocalTime, type LocalTime, type ZoneOffsets } from './local-time.ts'
import { readXmpValue } from './xmp-values.ts'

const MINUTE = 60_000

/** Zone offsets are multiples of a quarter of an hour. A satellite time with a larger deviation belongs to an older fix. */
const ZONE_STEP_MINUTES = 15
const MAX_SATELLITE_ERROR_MINUTES = 3
const MAX_OFFSET_MINUTES = 15 * 60

const XMP_NAMES = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate']

export type PhotoTimeInput = {
  tags: ExifTags
  xmp: string | null
  /** Date from the file's name, `2024-05-06T07:08:09` or `2024-05-06`; null if there is none. */
  nameDate: string | null
  /** Modification time of the file, Unix seconds. */
  modifiedAtSeconds: number
  /** The library's zone (IANA), for clocks without an offset. */
  zone: string
}

type Reading = { clock: LocalTime; offset: number | undefined; source: PhotoTime['source'] }

/**
 * Returns when a photo was taken. Sources by precedence: DateTimeOriginal, CreateDate (digitized), XMP, file name, modification time. The
 * offset comes from the matching offset tag (`OffsetTime` belongs to the last change and is ignored), else from the difference to the
 * satellite time, else from the library's zone. The zone of the process is irrelevant.
 */
export function resolvePhotoTime(offsets: ZoneOffsets, input: PhotoTimeInput): PhotoTime {
  const reading = readingOf(input)
  if (reading === undefined) return modifiedTime(offsets, input)
  const { clock, offset, source } = reading
  const minutes = offset ?? offsets.atLocal(input.zone, clock)
  return {
    local: formatLocalTime(clock),
    offsetMinutes: offset ?? null,
    unixSeconds: Math.floor((clock - minutes * MINUTE) / 1000),
    source,
  }
}

function readingOf({ tags, xmp, nameDate }: PhotoTimeInput): Reading | undefined {
  const original = parseLocalTime(tags['DateTimeOriginal'])
  if (original !== undefined) {
    const offset = parseUtcOffset(tags['OffsetTimeOriginal']) ?? satelliteOffset(tags, original)
    return { clock: original, offset, source: 'original' }
  }
  const digitized = parseLocalTime(tags['CreateDate'])
  if (digitized !== undefined) {
    const offset = parseUtcOffset(tags['OffsetTimeDigitized']) ?? satelliteOffset(tags, digitized)
    return { clock: digitized, offset, source: 'digitized' }
  }
  for (const name of XMP_NAMES) {
    const value = xmp === null ? undefined : readXmpValue(xmp, name)
    const clock = parseLocalTime(value)
    if (clock !== undefined) return { clock, offset: parseUtcOffset(value), source: 'xmp' }
  }
  const named = parseLocalTime(nameDate)
  return named === undefined ? undefined : { clock: named, offset: undefined, source: 'name' }
}

/** Derives the offset from GPSDateStamp and GPSTimeStamp, which are UTC (Exif 2.32, 4.6.6). */
function satelliteOffset(tags: ExifTags, clock: LocalTime): number | undefined {
  const day = parseLocalTime(tags['GPSDateStamp'])
  const time: unknown = tags['GPSTimeStamp']
  if (day === undefined || !Array.isArray(time)) return undefined
  const [hour, minute, second] = time.map(Number)
  const difference = (clock - day) / MINUTE - (hour ?? Number.NaN) * 60 - (minute ?? Number.NaN) - (second ?? 0) / 60
  const offset = Math.round(difference / ZONE_STEP_MINUTES) * ZONE_STEP_MINUTES
  const isClose = Math.abs(difference - offset) <= MAX_SATELLITE_ERROR_MINUTES
  // Adding zero converts -0 to 0.
  return isClose && Math.abs(offset) <= MAX_OFFSET_MINUTES ? offset + 0 : undefined
}

function modifiedTime(offsets: ZoneOffsets, { modifiedAtSeconds, zone }: PhotoTimeInput): PhotoTime {
  const seconds = Math.floor(modifiedAtSeconds)
  const minutes = offsets.at(zone, seconds * 1000)
  return {
    local: formatLocalTime(seconds * 1000 + minutes * MINUTE),
    offsetMinutes: null,
    unixSeconds: seconds,
    source: 'modified',
  }
}
