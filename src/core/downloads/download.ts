export const DOWNLOAD_STATUSES = ['waiting', 'running', 'ready', 'failed'] as const

/** A film converted to one file of a quality. Everybody who may see the film shares it. */
export type Download = {
  /** UUID; also the name of the file. */
  id: string
  itemId: string
  /** The id of a rung of the quality ladder: `720p`. */
  quality: string
  status: (typeof DOWNLOAD_STATUSES)[number]
  /** 0 to 100. */
  percent: number
  /** Null until it is ready. */
  sizeBytes: number | null
  /** The code of the error; null unless it failed. */
  failure: string | null
  /** Changes with the files of the film. */
  sourceStamp: string
  /** When it was asked for, or asked for again after a failure. */
  createdAt: Date
  /** When it was last requested or read, exact to an hour. */
  usedAt: Date
  /** Since when attempts have failed for a reason that may pass; null: the last one did not. */
  failingSince: Date | null
}
