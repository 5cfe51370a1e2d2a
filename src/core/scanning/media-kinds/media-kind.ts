import type { Chapter, MediaItemType } from '../../catalogue/index.ts'
import type { InnerFolders, MediaKind as FileKind } from '../../platform/files/index.ts'
import type { FileFacts, LocalMetadata, ReadAs } from '../../probing/index.ts'

/** What a name says about an item, and what its tags and the files beside it add. */
export type Identification = {
  type: MediaItemType
  name: string
  sortTitle: string
  year: number | null
  seasonNumber?: number | null
  episodeNumber?: number | null
  /** Of a double episode: its last number. */
  endingEpisodeNumber?: number | null
  episodeTitle?: string | null
  metadata: Record<string, unknown>
}

/**
 * A row that stands for more than a file: a series, a season, a book in many files. Found again by type and key; what is known of it
 * already is not overwritten.
 */
export type Group = {
  type: MediaItemType
  /** Made of names, not of places: a folder that moves keeps its group. */
  key: string
  name: string
  sortTitle: string
  year: number | null
  seasonNumber?: number | null
  metadata: Record<string, unknown>
}

/** Why lists leave a file out. */
export type RoleKind = 'version' | 'part' | 'extra'

/** What a file is a version, a part or an extra of: another file of its folder, the first item of a folder, or its last group. */
export type RoleOwner = { file: string } | { folderInsideRoot: string } | 'group'

export type Role = { kind: RoleKind; of: RoleOwner; label: string | null; order: number | null }

/** One file of a folder, as names alone tell. */
export type PlannedFile = {
  as: ReadAs
  identification: Identification
  /** From the top down: series, season. The last is the parent, or with the role `part` the owner. */
  groups: readonly Group[]
  role: Role | null
  /** Names, in the same folder or of those above, of the files that tell about it (NFO, OPF), the most trusted last. */
  sidecars: readonly string[]
}

export type BesideKind = 'poster' | 'backdrop' | 'logo' | 'banner' | 'thumb' | 'disc' | 'subtitle' | 'lyrics' | 'nfo'

/**
 * A picture or subtitle file, in the same folder or of those above: whose it is, by name of the media file or as a group; null for all that the folder stands for (see
 * `PlannedFolder`). One of kind `nfo` tells about the folder's group; those of files are theirs (`PlannedFile.sidecars`).
 */
export type BesideFile = {
  name: string
  kind: BesideKind
  of: string | { group: Group } | null
  details: Record<string, unknown>
}

export type PlannedFolder = {
  /** By file name. What is not in here is no media of this library. */
  files: ReadonlyMap<string, PlannedFile>
  beside: readonly BesideFile[]
  /** The group that pictures without an owner belong to; without one they belong to every listed item of the folder. */
  group: Group | null
}

/** A folder as a media kind sees it: what a listing tells, no contents. */
export type FolderView = {
  /** Relative to the library folder; empty for itself. */
  pathInsideRoot: string
  /** Of all files of the kinds that the library asked for, sorted. */
  names: readonly string[]
  /** Of files above that may tell about those in here: `../movie.nfo` (see `MediaKind.innerFolders`). */
  above?: readonly string[]
  /** Bytes by name, where somebody looked. */
  sizes?: ReadonlyMap<string, number>
}

/** What one file is, once it has been read. */
export type Description = {
  identification: Identification
  groups: readonly Group[]
  /** Who named it: a tag or NFO beats the file's name. */
  nameSource: 'file' | 'local'
  /** What tags and the files beside it say; kept apart from what providers say. */
  localMetadata: Record<string, unknown>
  /** Where something else than the file itself says them. */
  chapters?: readonly Chapter[]
}

/** What a group is called once the files that tell about it have been read. */
export type GroupDescription = Pick<Group, 'name' | 'sortTitle' | 'year'> &
  Pick<Description, 'nameSource' | 'localMetadata'>

/** What is different from one library type to the next; a new type is a new file beside this one. Pure. */
export type MediaKind = {
  /** Which files the walk reports. */
  fileKinds: readonly FileKind[]
  /** Folders whose plan depends on files above them. */
  innerFolders?: InnerFolders
  /** What the files of a folder are, and what belongs together. */
  planFolder(folder: FolderView): PlannedFolder
  /** @param facts null for a file that could not be read */
  describe(file: PlannedFile, facts: FileFacts | null, local: readonly LocalMetadata[]): Description
  /** What a folder's group is called. Without it a group keeps the name that it was made with. @param local what files of kind `nfo` say */
  describeGroup?(group: Group, local: readonly LocalMetadata[]): GroupDescription
}
