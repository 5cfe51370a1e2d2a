export type FolderLook = {
  /** Decimal numbers of stat(2). */
  device: string
  inode: string
  isEmpty: boolean
}

/** What there is at a path. `unknown`: the system answered neither that there is something nor that there is nothing. */
export type FileLook = { kind: 'present'; sizeBytes: number } | { kind: 'absent' } | { kind: 'unknown' }

export type Subfolder = { name: string; path: string; modifiedAtMilliseconds: number }

/** What lies directly in a folder that the process may list itself. */
export type SubfolderLook = {
  /** Where links lead, so that going into a link that leads upwards makes no path longer. */
  path: string
  /** In the order of their names. */
  folders: Subfolder[]
  /** The folder holds more than was looked at. */
  isTruncated: boolean
}

export type SubfolderOrder = {
  path: string
  /** Real paths; neither they nor what lies below is listed or shown. */
  hidden: readonly string[]
  mostEntries: number
  mostFolders: number
}

/** What a look worker is asked; one answer each. */
export type LookOrder =
  | { kind: 'folder'; path: string }
  | { kind: 'files'; paths: readonly string[] }
  | { kind: 'target'; path: string }
  | ({ kind: 'subfolders' } & SubfolderOrder)

export type LookReport =
  | { kind: 'folder'; look: FolderLook }
  | { kind: 'files'; looks: FileLook[] }
  | { kind: 'target'; real: string }
  | { kind: 'subfolders'; look: SubfolderLook }
  /** `code` is the system's; undefined for what is no system error. */
  | { kind: 'failure'; message: string; code: string | undefined }
