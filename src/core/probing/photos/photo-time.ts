import type { ExifTags } from './exif-tags.ts'
import type { PhotoTime } from './photo.ts'
import {
  offsetAt,
  offsetMinutesOf,
  wallClockOf,
  writeWallClock,
  zoneOffsetMinutes,
  type WallClock,
} from './wall-clock.ts'
import { xmpValue } from './xmp-values.ts'

const MINUTE = 60_000

/** Zones differ by whole quarters of an hour; a satellite time further from one is that of an older fix. */
const ZONE_STEP_MINUTES = 15
const MAX_SATELLITE_ERROR_MINUTES = 3
const MAX_OFFSET_MINUTES = 15 * 60

const XMP_NAMES = ['exif:DateTimeOriginal', 'photoshop:DateCreated', 'xmp:CreateDate']

export type PhotoTimeInput = {
  tags: ExifTags
  xmp: string | null
  /** What the file's name says, `2024-05-06T07:08:09` or `2024-05-06`; null when it says nothing. */
  nameDate: string | null
  /** When the file was last written, Unix seconds. */
  modifiedAtSeconds: number
  /** The library's zone (IANA), for clocks that do not say where they hang. */
  zone: string
}

type Reading = { clock: WallClock; offset: number | undefined; source: PhotoTime['source'] }

/**
 * When a photo was taken. First that there is of: DateTimeOriginal, CreateDate (digitized), XMP, the name, the time of the file. The
 * offset of that clock: its own offset tag (`OffsetTime` belongs to the last change and does not count), else the distance to the
 * satellites' time, else the library's zone. The process's zone has no part in it.
 */
export function photoTimeOf(input: PhotoTimeInput): PhotoTime {
  const reading = readingOf(input)
  if (reading === undefined) return modifiedTime(input)
  const { clock, offset, source } = reading
  const minutes = offset ?? zoneOffsetMinutes(input.zone, clock)
  return {
    local: writeWallClock(clock),
    offsetMinutes: offset ?? null,
    unixSeconds: Math.floor((clock - minutes * MINUTE) / 1000),
    source,
  }
}

function readingOf({ tags, xmp, nameDate }: PhotoTimeInput): Reading | undefined {
  const original = wallClockOf(tags['DateTimeOriginal'])
  if (original !== undefined) {
    const offset = offsetMinutesOf(tags['OffsetTimeOriginal']) ?? satelliteOffset(tags, original)
    return { clock: original, offset, source: 'original' }
  }
  const digitized = wallClockOf(tags['CreateDate'])
  if (digitized !== undefined) {
    const offset = offsetMinutesOf(tags['OffsetTimeDigitized']) ?? satelliteOffset(tags, digitized)
    return { clock: digitized, offset, source: 'digitized' }
  }
  for (const name of XMP_NAMES) {
    const value = xmp === null ? undefined : xmpValue(xmp, name)
    const clock = wallClockOf(value)
    if (clock !== undefined) return { clock, offset: offsetMinutesOf(value), source: 'xmp' }
  }
  const named = wallClockOf(nameDate)
  return named === undefined ? undefined : { clock: named, offset: undefined, source: 'name' }
}

/** GPSDateStamp and GPSTimeStamp are UTC (Exif 2.32, 4.6.6): what the wall shows beyond them is the offset. */
function satelliteOffset(tags: ExifTags, clock: WallClock): number | undefined {
  const day = wallClockOf(tags['GPSDateStamp'])
  const time: unknown = tags['GPSTimeStamp']
  if (day === undefined || !Array.isArray(time)) return undefined
  const [hour, minute, second] = time.map(Number)
  const difference = (clock - day) / MINUTE - (hour ?? Number.NaN) * 60 - (minute ?? Number.NaN) - (second ?? 0) / 60
  const offset = Math.round(difference / ZONE_STEP_MINUTES) * ZONE_STEP_MINUTES
  const isClose = Math.abs(difference - offset) <= MAX_SATELLITE_ERROR_MINUTES
  // Adding zero turns -0 into 0.
  return isClose && Math.abs(offset) <= MAX_OFFSET_MINUTES ? offset + 0 : undefined
}

function modifiedTime({ modifiedAtSeconds, zone }: PhotoTimeInput): PhotoTime {
  const seconds = Math.floor(modifiedAtSeconds)
  const minutes = offsetAt(zone, seconds * 1000)
  return {
    local: writeWallClock(seconds * 1000 + minutes * MINUTE),
    offsetMinutes: null,
    unixSeconds: seconds,
    source: 'modified',
  }
}
