import type { Chapter, MediaItemType } from '../../catalogue/index.ts'
import type { InnerFolders, MediaFileKind } from '../../platform/files/index.ts'
import type { FileFacts, LocalMetadata, ReadKind } from '../../probing/index.ts'

/** Facts about an item from its name, extended by its tags and sidecars. */
export type Identification = {
  type: MediaItemType
  name: string
  sortTitle: string
  year: number | null
  seasonNumber?: number | null
  episodeNumber?: number | null
  /** Last number of a double episode. */
  endingEpisodeNumber?: number | null
  episodeTitle?: string | null
  metadata: Record<string, unknown>
}

/**
 * A row that represents more than one file: a series, a season, a book in several files. It is identified by type and key; existing
 * metadata is not overwritten.
 */
export type ItemGroup = {
  type: MediaItemType
  /** Derived from names, not from paths: a moved folder keeps its group. */
  key: string
  name: string
  sortTitle: string
  year: number | null
  seasonNumber?: number | null
  metadata: Record<string, unknown>
}

/** The reason why lists omit a file. */
export type RoleKind = 'version' | 'part' | 'extra'

/** The owner of a version, part or extra: another file of its folder, the first item of a folder, or its last group. */
export type RoleOwner = { file: string } | { folderInsideRoot: string } | 'group'

export type FileRole = { kind: RoleKind; of: RoleOwner; label: string | null; order: number | null }

/** The plan for one file of a folder, made from names alone. */
export type PlannedFile = {
  as: ReadKind
  identification: Identification
  /** Top level first: series, season. The last is the parent, or the owner for the role `part`. */
  groups: readonly ItemGroup[]
  role: FileRole | null
  /** Names of the metadata sidecars (NFO, OPF), in the same folder or above, the most trusted last. */
  sidecars: readonly string[]
}

export type CompanionKind = 'poster' | 'backdrop' | 'logo' | 'banner' | 'thumb' | 'disc' | 'subtitle' | 'lyrics' | 'nfo'

/**
 * A picture or subtitle file, in the same folder or above. `of` is its owner: a media file by name, a group, or null for the folder's owner
 * (see `PlannedFolder`). A file of kind `nfo` describes the folder's group; NFO files of media files are in `PlannedFile.sidecars`.
 */
export type CompanionFile = {
  name: string
  kind: CompanionKind
  of: string | { group: ItemGroup } | null
  details: Record<string, unknown>
}

export type PlannedFolder = {
  /** The plans by file name. Files without a plan are not media of this library. */
  files: ReadonlyMap<string, PlannedFile>
  companions: readonly CompanionFile[]
  /** Owner of pictures with a null owner; without a group they belong to every listed item of the folder. */
  group: ItemGroup | null
}

/** A folder as a media kind receives it: names and sizes, no contents. */
export type FolderContents = {
  /** Relative to the library folder; empty for the library folder itself. */
  pathInsideRoot: string
  /** Sorted names of all files of the requested kinds. */
  names: readonly string[]
  /** Files above that may describe those in this folder: `../movie.nfo` (see `MediaFileKind.innerFolders`). */
  above?: readonly string[]
  /** Sizes in bytes by name, if known. */
  sizes?: ReadonlyMap<string, number>
}

/** Description of a file after it has been read. */
export type FileDescription = {
  identification: Identification
  groups: readonly ItemGroup[]
  /** Source of the name: a tag or NFO takes precedence over the file's name. */
  nameSource: 'file' | 'local'
  /** Facts from tags and sidecars, stored separately from provider metadata. */
  localMetadata: Record<string, unknown>
  /** Present if a sidecar defines them instead of the file. */
  chapters?: readonly Chapter[]
}

/** Description of a group after its sidecars have been read. */
export type GroupDescription = Pick<ItemGroup, 'name' | 'sortTitle' | 'year'> &
  Pick<FileDescription, 'nameSource' | 'localMetadata'>

/** The differences between library types; a new type is a new file in this folder. Pure. */
export type MediaKind = {
  /** Kinds of files that the walk reports. */
  fileKinds: readonly MediaFileKind[]
  /** Folders whose plan depends on files above them. */
  innerFolders?: InnerFolders
  /** Plans the files of a folder and their relations. */
  planFolder(folder: FolderContents): PlannedFolder
  /** @param facts null for an unreadable file */
  describe(file: PlannedFile, facts: FileFacts | null, local: readonly LocalMetadata[]): FileDescription
  /** Describes a folder's group. If absent, a group keeps its initial name. @param local records of the `nfo` sidecars */
  describeGroup?(group: ItemGroup, local: readonly LocalMetadata[]): GroupDescription
}
