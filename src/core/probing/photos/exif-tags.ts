import * as exifr from 'exifr'

/** Raw EXIF tags by exifr's names: texts as stored, rationals divided (possibly NaN or infinity), bytes unchanged. */
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
 * Reads the tags that the catalogue stores from a TIFF structure. Values are not revived or translated, because exifr would interpret times
 * in the zone of the process. Only selected tags are parsed, so that a damaged tag elsewhere is harmless. Empty for a broken structure;
 * never throws.
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
