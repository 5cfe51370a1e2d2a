import * as exifr from 'exifr'

/** EXIF tags by exifr's names, raw: texts as stored, rationals divided (perhaps to NaN or infinity), bytes as they are. */
export type ExifTags = Readonly<Record<string, unknown>>

const PICKED = {
  ifd0: ['ImageWidth', 'ImageHeight', 'SubfileType', 'ImageDescription', 'Make', 'Model', 'Orientation'],
  exif: [
    'ExposureTime',
    'FNumber',
    'ISO',
    'DateTimeOriginal',
    'CreateDate',
    'OffsetTimeOriginal',
    'OffsetTimeDigitized',
    'FocalLength',
    'ExifImageWidth',
    'ExifImageHeight',
    'LensModel',
  ],
  gps: [
    'GPSLatitudeRef',
    'GPSLatitude',
    'GPSLongitudeRef',
    'GPSLongitude',
    'GPSAltitudeRef',
    'GPSAltitude',
    'GPSTimeStamp',
    'GPSDateStamp',
  ],
}

/**
 * The tags that the catalogue keeps, from a TIFF structure. Nothing is revived or translated: exifr would read times in the zone of
 * the process (design/scanning.md 3, Photos). Only picked tags are looked at, so that a broken one elsewhere costs nothing. Empty for
 * a broken structure; never throws.
 */
export async function readExifTags(tiff: Uint8Array): Promise<ExifTags> {
  try {
    const tags: unknown = await exifr.default.parse(tiff, {
      tiff: true,
      ifd0: { pick: PICKED.ifd0 },
      exif: { pick: PICKED.exif },
      gps: { pick: PICKED.gps },
      ifd1: false,
      interop: false,
      makerNote: true,
      userComment: false,
      xmp: false,
      icc: false,
      iptc: false,
      jfif: false,
      ihdr: false,
      reviveValues: false,
      translateValues: false,
    })
    return typeof tags === 'object' && tags !== null ? (tags as ExifTags) : {}
  } catch {
    return {}
  }
}
