export type FolderStat = {
  /** Decimal numbers from stat(2). */
  device: string
  inode: string
  isEmpty: boolean
}

/** The state of a path. `unknown`: the system reported neither presence nor absence. */
export type FileStat = { kind: 'present'; sizeBytes: number } | { kind: 'absent' } | { kind: 'unknown' }

export type Subfolder = { name: string; path: string; modifiedAtMilliseconds: number }

/** The subfolders that the process may list itself. */
export type SubfolderStat = {
  /** The real path, so that following a link upwards does not make the path longer. */
  path: string
  /** Sorted by name. */
  folders: Subfolder[]
  /** True when the folder has more entries than were read. */
  isTruncated: boolean
}

export type SubfolderStatRequest = {
  path: string
  /** Real paths that are hidden, with everything below them. */
  hidden: readonly string[]
  maxEntries: number
  maxFolders: number
}

/** A request to a disk thread for facts; each has one answer. */
export type StatRequest =
  | { kind: 'folder'; path: string }
  | { kind: 'files'; paths: readonly string[] }
  | { kind: 'target'; path: string }
  | ({ kind: 'subfolders' } & SubfolderStatRequest)

export type StatReply =
  | { kind: 'folder'; result: FolderStat }
  | { kind: 'files'; results: FileStat[] }
  | { kind: 'target'; real: string }
  | { kind: 'subfolders'; result: SubfolderStat }
  /** `code` is the errno code; undefined for other errors. */
  | { kind: 'failure'; message: string; code: string | undefined }
