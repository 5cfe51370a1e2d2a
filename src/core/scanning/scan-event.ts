import type { FileFacts, LocalMetadata } from '../probing/index.ts'
import type { PlannedFile, PlannedFolder } from './media-kinds/media-kind.ts'

/** A file that is new or has changed, with what its name says. */
export type FoundFile = {
  kind: 'file'
  /** The library folder that it was found in. */
  root: string
  path: string
  name: string
  sizeBytes: number
  modifiedAtNanoseconds: bigint
  canonicalKey: string
  planned: PlannedFile
  /** Over the files that tell about it; null when there are none. */
  sidecarHash: Buffer | null
}

/** A picture or subtitle file of a folder. */
export type ListedFile = { name: string; path: string; sizeBytes: number; modifiedAtNanoseconds: bigint }

/** What can be said about a folder once its files have passed; comes after them. */
export type SeenFolder = {
  kind: 'folder'
  root: string
  path: string
  /** All zero when the listing must not be relied on the next time. */
  listingHash: Buffer
  /** Media files. */
  fileCount: number
  unchangedCount: number
  /** Rows whose file was not listed. */
  absentIds: string[]
  /** Rows that were marked missing and whose file is there again. */
  returnedIds: string[]
  /** Rows whose file was not listed but that stood for versions which were, with the path of what stands for those now. */
  successors: { fromId: string; path: string }[]
  problems: { path: string; code: string; reason: string }[]
  plan: PlannedFolder
  /** By name: the files that `plan.beside` speaks of. */
  beside: ReadonlyMap<string, ListedFile>
  /** What they say about the group of the folder; empty until they are read. */
  local: readonly LocalMetadata[]
}

/** Folders that list exactly what they listed before: nothing about them is written. */
export type UnchangedFolders = { kind: 'unchanged'; lastPath: string; fileCount: number }

/** What is said about folders, between the files. */
export type FolderEvent = SeenFolder | UnchangedFolders

/** A file that has been looked into. */
export type ReadFile = FoundFile & { outcome: ReadOutcome }

/** `gone`: it disappeared since it was listed. `hasChanged`: somebody writes to it, so the next scan must look again. */
export type ReadOutcome =
  | { kind: 'read'; facts: FileFacts; local: readonly LocalMetadata[]; contentHash: Buffer; hasChanged: boolean }
  | { kind: 'unreadable'; code: string; reason: string; local: readonly LocalMetadata[] }
  | { kind: 'gone' }
