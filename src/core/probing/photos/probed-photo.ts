/** The metadata of a photo. Texts are safe to store; values that are missing, out of range or invalid are null. */
export type ProbedPhoto = {
  /** Detected from the content, not from the name. */
  mime: string
  /** Displayed size, after `orientation`; null for raw files that only expose a preview. */
  width: number | null
  height: number | null
  /** EXIF orientation 1..8; HEIF rotations use the same numbers. */
  orientation: number
  description: string | null
  camera: PhotoCamera
  place: PhotoPlace | null
  taken: PhotoTime
  /** Apple's content identifier, shared by the picture and the video of a live photo: a UUID in upper case. */
  contentIdentifier: string | null
  /** File offset of the MP4 of a motion photo. */
  motionOffsetBytes: number | null
}

/** Formatted for people: `f/2.8`, `1/250`, `50 mm`. */
export type PhotoCamera = {
  make: string | null
  model: string | null
  lens: string | null
  aperture: string | null
  iso: number | null
  shutterSpeed: string | null
  focalLength: string | null
}

/** Degrees in WGS 84 and metres above sea level. */
export type PhotoPlace = { latitude: number; longitude: number; altitude: number | null }

export type PhotoTime = {
  /** Local time, `2024-05-06T07:08:09`; albums are grouped by its day. */
  local: string
  /** Offset of the local time from UTC; null if it comes from the given zone. */
  offsetMinutes: number | null
  unixSeconds: number
  /** The source: one of the camera's two times, XMP, the file name, or the modification time. */
  source: 'original' | 'digitized' | 'xmp' | 'name' | 'modified'
}

export type PhotoOutcome =
  | { kind: 'read'; photo: ProbedPhoto }
  | { kind: 'unreadable'; code: 'empty' | 'unknown_format' | 'damaged'; reason: string }

/** Metadata blocks of a picture's container, before EXIF is parsed. */
export type ImageMetadata = {
  mime: string
  /** Stored size; null if only EXIF contains it (TIFF). */
  size: { width: number; height: number } | null
  /** Rotation in the container as an EXIF orientation; it replaces the orientation of EXIF (HEIF). */
  orientation: number | null
  /** A TIFF structure. */
  exif: Uint8Array | null
  xmp: string | null
}
