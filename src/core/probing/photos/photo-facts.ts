import { cleanLine, parseNumberInRange, cleanParagraphs } from '../untrusted-values.ts'
import type { ExifTags } from './exif-tags.ts'
import type { ProbedPhoto, PhotoCamera, PhotoPlace } from './probed-photo.ts'

const MAX_ISO = 10_000_000
const CAMERA_CHARACTERS = 200

/** Plausible altitudes in metres: below the deepest mine, above any balloon. */
const MIN_ALTITUDE_METRES = -12_000
const MAX_ALTITUDE_METRES = 100_000

/** Returns camera and settings, formatted for people. */
export function formatCamera(tags: ExifTags): PhotoCamera {
  const make = cleanLine(tags['Make'], CAMERA_CHARACTERS)
  return {
    make,
    model: cleanLine(tags['Model'], CAMERA_CHARACTERS),
    lens: cleanLine(tags['LensModel'], CAMERA_CHARACTERS),
    aperture: formatted(parseNumberInRange(tags['FNumber'], 0.1, 1000), (number) => `f/${rounded(number)}`),
    iso: isoOf(tags['ISO']),
    shutterSpeed: formatted(parseNumberInRange(tags['ExposureTime'], 1 / 1_000_000, 1_000_000), (seconds) =>
      shutterOf(seconds),
    ),
    focalLength: formatted(
      parseNumberInRange(tags['FocalLength'], 0.1, 100_000),
      (millimetres) => `${rounded(millimetres)} mm`,
    ),
  }
}

/** Returns the image description, which is often empty or the name of the camera. */
export function cleanPhotoDescription(tags: ExifTags): ProbedPhoto['description'] {
  return cleanParagraphs(tags['ImageDescription'], 4_096)
}

/** Returns the EXIF orientation 1..8; any other value means upright. */
export function readOrientation(tags: ExifTags): number {
  const orientation = parseNumberInRange(tags['Orientation'], 1, 8) ?? 1
  return Number.isInteger(orientation) ? orientation : 1
}

/** Returns the location; null for values out of range, missing coordinates, and 0, 0, which cameras write without a fix. */
export function readLocation(tags: ExifTags): PhotoPlace | null {
  const latitude = degreesOf(tags['GPSLatitude'], tags['GPSLatitudeRef'], 90)
  const longitude = degreesOf(tags['GPSLongitude'], tags['GPSLongitudeRef'], 180)
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null
  const height = parseNumberInRange(tags['GPSAltitude'], 0, MAX_ALTITUDE_METRES)
  const isBelowSea = firstByteOf(tags['GPSAltitudeRef']) === 1
  const altitude =
    height === null ? null : parseNumberInRange(isBelowSea ? -height : height, MIN_ALTITUDE_METRES, MAX_ALTITUDE_METRES)
  return { latitude, longitude, altitude: altitude === null ? null : rounded(altitude) }
}

function degreesOf(value: unknown, reference: unknown, limit: number): number | null {
  if (!Array.isArray(value) || value.length > 3) return null
  const [degrees, minutes = 0, seconds = 0] = value.map(Number)
  const hemisphere = (cleanLine(reference, 10) ?? '').charAt(0).toUpperCase()
  const size = parseNumberInRange((degrees ?? Number.NaN) + minutes / 60 + seconds / 3600, 0, limit)
  if (size === null || size === 0) return size
  const signed = hemisphere === 'S' || hemisphere === 'W' ? -size : size
  // Seven decimals are about a centimetre.
  return Math.round(signed * 1e7) / 1e7
}

function isoOf(value: unknown): number | null {
  const first: unknown = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as ArrayLike<unknown>)[0] : value
  const iso = parseNumberInRange(first, 1, MAX_ISO)
  return iso === null ? null : Math.round(iso)
}

/** Formats an exposure time: fractions below 0.3 s, seconds above: `1/250`, `0.5 s`, `30 s`. */
function shutterOf(seconds: number): string {
  return seconds < 0.3 ? `1/${Math.round(1 / seconds)}` : `${rounded(seconds)} s`
}

/** Returns the first byte of a list, or the value itself. */
function firstByteOf(value: unknown): unknown {
  return value instanceof Uint8Array ? value[0] : value
}

function formatted(number: number | null, write: (number: number) => string): string | null {
  return number === null ? null : write(number)
}

function rounded(number: number): number {
  return Math.round(number * 10) / 10
}
