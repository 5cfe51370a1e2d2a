/** The size of a library at the time of measurement. */
export type StorageSnapshot = {
  /** UUID. */
  id: string
  recordedAt: Date
  libraryId: string
  libraryName: string
  /** The type of the library. */
  mediaType: string
  itemCount: number
  /** Total size of the present files. */
  totalBytes: number
  /** Size of the cached streaming segments of the whole server. */
  transcodeCacheBytes: number
}
