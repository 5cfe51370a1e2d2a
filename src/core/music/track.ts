/** A track as lists show it. */
export type Track = {
  /** The id of the media item. */
  id: string
  name: string
  /** The performer, or else the artist of the album. */
  artist: string | null
  album: string | null
  /** The year of the album; of the track itself if the album has none. */
  year: number | null
  trackNumber: number | null
  discNumber: number | null
  durationSeconds: number | null
  /** Data of tags and sidecar files: `genres`. */
  metadata: Record<string, unknown>
}
