import type { ProbedPhoto } from '../probing/index.ts'

/** A picture as lists show it. */
export type Photo = {
  /** UUID. */
  id: string
  libraryId: string
  /** The name of the file. */
  name: string
  /** Pixels, as shown; null for raw files without a size. */
  width: number | null
  height: number | null
  /** When it was taken, in Unix seconds. */
  takenAt: number
  /** Local time of the place where it was taken: `2024-05-06 23:30:00`. */
  takenLocal: string
  cameraMake: string | null
  cameraModel: string | null
}

export type PhotoDetail = Photo & {
  path: string | null
  sizeBytes: number | null
  /** Nanoseconds since 1970 as decimal digits, because they exceed the safe integers. */
  modifiedNanoseconds: string | null
  /** EXIF orientation, 1 to 8. */
  orientation: number
  /** Under the keys of the API; values that the camera did not write are absent. */
  exif: Record<string, string | number>
}

/** The pictures of one day. */
export type PhotoAlbum = {
  /** `2024-05-06`, local date of the place where the pictures were taken. */
  date: string
  photoCount: number
  /** The first of the day. */
  coverPhotoId: string
}

/** `month`: `2024-05`, by the local date of the place where the pictures were taken. */
export type PhotoMonth = { month: string; photoCount: number }

/** What a layout of many pictures needs before it loads them. `takenAt` in Unix seconds; `date` is the local date. */
export type TimelinePhoto = Pick<Photo, 'id' | 'width' | 'height' | 'takenAt'> & { date: string }

/** The metadata in the headers of a picture, and its item. */
export type PhotoWrite = { itemId: string; photo: ProbedPhoto }
