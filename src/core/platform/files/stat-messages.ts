export type FolderStat = {
  /** Decimal numbers of stat(2). */
  device: string
  inode: string
  isEmpty: boolean
}

/** What there is at a path. `unknown`: the system answered neither that there is something nor that there is nothing. */
export type FileStat = { kind: 'present'; sizeBytes: number } | { kind: 'absent' } | { kind: 'unknown' }

export type Subfolder = { name: string; path: string; modifiedAtMilliseconds: number }

/** What lies directly in a folder that the process may list itself. */
export type SubfolderStat = {
  /** Where links lead, so that going into a link that leads upwards makes no path longer. */
  path: string
  /** In the order of their names. */
  folders: Subfolder[]
  /** The folder holds more than was looked at. */
  isTruncated: boolean
}

export type SubfolderStatRequest = {
  path: string
  /** Real paths; neither they nor what lies below is listed or shown. */
  hidden: readonly string[]
  maxEntries: number
  maxFolders: number
}

/** What a look worker is asked; one answer each. */
export type StatRequest =
  | { kind: 'folder'; path: string }
  | { kind: 'files'; paths: readonly string[] }
  | { kind: 'target'; path: string }
  | ({ kind: 'subfolders' } & SubfolderStatRequest)

export type StatReply =
  | { kind: 'folder'; look: FolderStat }
  | { kind: 'files'; looks: FileStat[] }
  | { kind: 'target'; real: string }
  | { kind: 'subfolders'; look: SubfolderStat }
  /** `code` is the system's; undefined for what is no system error. */
  | { kind: 'failure'; message: string; code: string | undefined }
