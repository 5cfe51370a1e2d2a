/** What a link shows: one item with all below it, an album of music, the photos of a day, or a collection. */
export const SHARE_KINDS = ['item', 'album', 'photo_album', 'collection'] as const
export type ShareKind = (typeof SHARE_KINDS)[number]

/** A link without its token, which is not stored. */
export type Share = {
  /** UUID. */
  id: string
  accountId: string
  /** The profile that made it. */
  profileId: string
  username: string
  kind: ShareKind
  /**
   * UUID of the item, album or collection; the day of a photo album as `album-2024-05-06`. Null if the reader does not see the subject, or it no
   * longer exists.
   */
  subjectId: string | null
  /** Null if the reader does not see the subject, or it no longer exists. */
  title: string | null
  hasPassword: boolean
  allowsDownload: boolean
  /** How often the link can be opened; null: any number of times. */
  maxUses: number | null
  uses: number
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  lastAddress: string | null
}

/** An entry that a guest can play or look at. */
export type SharedItem = {
  /** UUID. */
  id: string
  kind: 'video' | 'audio' | 'photo'
  title: string
  year: number | null
  seasonNumber: number | null
  episodeNumber: number | null
  artist: string | null
  durationSeconds: number | null
  /** Of photos, as shown. */
  width: number | null
  height: number | null
}
