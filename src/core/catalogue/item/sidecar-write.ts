import type { GroupWrite } from './group-write.ts'

export type SidecarKind = 'poster' | 'backdrop' | 'logo' | 'banner' | 'thumb' | 'disc' | 'subtitle' | 'lyrics' | 'nfo'

/** A picture or subtitle file beside media, and the item that owns it. */
export type SidecarWrite = {
  path: string
  /**
   * The folder whose listing produced this entry: the folder of the media. It is above the folder of the sidecar if a film has
   * subfolders.
   */
  folder: string
  kind: SidecarKind
  sizeBytes: number
  modifiedAtNanoseconds: bigint
  details: Record<string, unknown>
  /** A media file, a group, or every listed item of `folder`. */
  owner: { file: string } | { group: GroupWrite } | 'folder'
}
