/** Everybody whose albums or single tracks the libraries hold: one entry for all libraries that have the name (document 1, Music artist). */
export type Artist = {
  name: string
  /** True totals, whatever the length of `albums`. */
  albumCount: number
  trackCount: number
  /** Titles by name; releases of one title are there each. */
  albums: string[]
  /** What a provider says: MusicBrainz' number, genres, dates. */
  metadata: Record<string, unknown>
  /** Whose picture stands for the artist: itself in each library, and where it has none its first albums. */
  pictureIds: string[]
}
