import type { ProbedFile } from '../probing/index.ts'
import type { Identification } from './media-kinds/media-kind.ts'

/** A file that is new or has changed. */
export type FoundFile = {
  kind: 'file'
  /** The library folder that it was found in. */
  root: string
  path: string
  name: string
  sizeBytes: number
  modifiedAtNanoseconds: bigint
}

/** What can be said about a folder once its files have passed; comes after them. */
export type SeenFolder = {
  kind: 'folder'
  path: string
  /** All zero when the listing must not be relied on the next time. */
  listingHash: Buffer
  fileCount: number
  unchangedCount: number
  /** Rows whose file was not listed. */
  absentIds: string[]
  /** Rows that were marked missing and whose file is there again. */
  returnedIds: string[]
  problems: { path: string; code: string; reason: string }[]
}

/** Folders that list exactly what they listed before: nothing about them is written. */
export type UnchangedFolders = { kind: 'unchanged'; lastPath: string; fileCount: number }

/** What is said about folders, between the files. */
export type FolderEvent = SeenFolder | UnchangedFolders

export type IdentifiedFile = FoundFile & { identification: Identification; canonicalKey: string }

/** `outcome` is `gone` for a file that disappeared since it was listed. */
export type ProbedCandidate = IdentifiedFile & { outcome: ProbeOutcome }

export type ProbeOutcome =
  | { kind: 'probed'; file: ProbedFile; contentHash: Buffer | null }
  | { kind: 'unreadable'; code: string; reason: string }
  | { kind: 'gone' }
