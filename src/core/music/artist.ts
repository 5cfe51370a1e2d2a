/** An artist with albums or single tracks in the libraries: one entry for all libraries that contain the name. */
export type Artist = {
  name: string
  /** The real totals, independent of the length of `albums`. */
  albumCount: number
  trackCount: number
  /** Titles by name; several releases of one title are listed separately. */
  albums: string[]
  /** Data of providers: MusicBrainz id, genres, dates. */
  metadata: Record<string, unknown>
  /** Items whose picture can represent the artist: the artist itself in each library, and if none has a picture its first albums. */
  pictureIds: string[]
}
