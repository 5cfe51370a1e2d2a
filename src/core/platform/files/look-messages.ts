export type FolderLook = {
  /** Decimal numbers of stat(2). */
  device: string
  inode: string
  isEmpty: boolean
}

/** What there is at a path. `unknown`: the system answered neither that there is something nor that there is nothing. */
export type FileLook = { kind: 'present'; sizeBytes: number } | { kind: 'absent' } | { kind: 'unknown' }

/** What a look worker is asked; one answer each. */
export type LookOrder = { kind: 'folder'; path: string } | { kind: 'files'; paths: readonly string[] }

export type LookReport =
  | { kind: 'folder'; look: FolderLook }
  | { kind: 'files'; looks: FileLook[] }
  | { kind: 'failure'; message: string }
