/** What a photo says about itself. Texts can be stored as they are; what is missing, out of range or not a number is null. */
export type Photo = {
  /** By its bytes, not by its name. */
  mime: string
  /** As shown, after `orientation`; null for raw files that hold only a preview in sight. */
  width: number | null
  height: number | null
  /** EXIF's 1..8; HEIF's own turn in the same numbers. */
  orientation: number
  description: string | null
  camera: PhotoCamera
  place: PhotoPlace | null
  taken: PhotoTime
  /** Apple's, the same in the picture and in the film of a live photo: a UUID in upper case. */
  contentIdentifier: string | null
  /** Where the MP4 of a motion photo begins in the file. */
  motionOffsetBytes: number | null
}

/** As people write them: `f/2.8`, `1/250`, `50 mm`. */
export type PhotoCamera = {
  make: string | null
  model: string | null
  lens: string | null
  aperture: string | null
  iso: number | null
  shutterSpeed: string | null
  focalLength: string | null
}

/** Degrees of WGS 84 and metres above the sea. */
export type PhotoPlace = { latitude: number; longitude: number; altitude: number | null }

export type PhotoTime = {
  /** The clock on the wall, `2024-05-06T07:08:09`; albums go by its day. */
  local: string
  /** Of that clock against UTC; null where only the given zone tells. */
  offsetMinutes: number | null
  unixSeconds: number
  /** The camera's two times, XMP, the name of the file, or when it was last written. */
  source: 'original' | 'digitized' | 'xmp' | 'name' | 'modified'
}

export type PhotoOutcome =
  | { kind: 'read'; photo: Photo }
  | { kind: 'unreadable'; code: 'empty' | 'unknown_format' | 'damaged'; reason: string }

/** What a picture's container says, before EXIF is looked at. */
export type PictureBlocks = {
  mime: string
  /** As stored. Null where only EXIF tells (TIFF). */
  size: { width: number; height: number } | null
  /** A turn that the container itself asks for, as an EXIF number; EXIF's own does not count then (HEIF). */
  orientation: number | null
  /** A TIFF structure. */
  exif: Uint8Array | null
  xmp: string | null
}
