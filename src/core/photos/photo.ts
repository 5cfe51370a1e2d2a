/** A picture as lists show it (document 1, Photo). */
export type Photo = {
  /** UUID. */
  id: string
  libraryId: string
  /** The name of the file. */
  name: string
  /** Pixels, as shown; null for raw files that tell no size. */
  width: number | null
  height: number | null
  /** When it was taken, in Unix seconds. */
  takenAt: number
  /** The same on the clock of the place where it was taken: `2024-05-06 23:30:00`. */
  takenLocal: string
  cameraMake: string | null
  cameraModel: string | null
}

export type PhotoDetail = Photo & {
  path: string | null
  sizeBytes: number | null
  /** Nanoseconds since 1970 as decimal digits: more than a number holds. */
  modifiedNanoseconds: string | null
  /** EXIF's 1 to 8. */
  orientation: number
  /** Under the names of document 1, Photo; what the camera did not tell is missing. */
  exif: Record<string, string | number>
}

/** The pictures of one day. */
export type PhotoAlbum = {
  /** `2024-05-06`, where the pictures were taken. */
  date: string
  photoCount: number
  /** The first of the day. */
  coverPhotoId: string
}
