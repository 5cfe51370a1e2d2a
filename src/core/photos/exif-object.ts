import type { ProbedPhoto } from '../probing/index.ts'

/** Camera and location under the keys of `exif` in the API; unknown values are absent. */
export function toExifObject({ camera, place }: ProbedPhoto): Record<string, string | number> {
  const values: Record<string, string | number | null> = {
    camera_make: camera.make,
    camera_model: camera.model,
    lens: camera.lens,
    aperture: camera.aperture,
    iso: camera.iso,
    shutter_speed: camera.shutterSpeed,
    focal_length: camera.focalLength,
    gps_lat: place?.latitude ?? null,
    gps_lng: place?.longitude ?? null,
    gps_alt: place?.altitude ?? null,
  }
  const known = Object.entries(values).filter((entry): entry is [string, string | number] => entry[1] !== null)
  return Object.fromEntries(known)
}
