import { detectDiscStructure, parseEpisodePath, type DiscStructure, type EpisodeName } from '../../naming/index.ts'
import { mediaFileKind } from '../../platform/files/index.ts'
import { pathInLibraryRoot } from './file-stem.ts'
import type { FolderContents, PlannedFile } from './media-kind.ts'

/** Returns the DVD or Blu-ray structure of a folder; undefined for other folders. */
export function detectDiscInFolder({ pathInsideRoot, names, sizes }: FolderContents): DiscStructure | undefined {
  const videos = names.filter((name) => mediaFileKind(name) === 'video')
  return detectDiscStructure(pathInsideRoot, videos, (name) => sizes?.get(name) ?? 0)
}

/**
 * Plans the files of a disc's film under one identification: the first file is the item, the others are its parts.
 * @param planned the plan of the first file
 */
export function planDiscFiles(
  { mainFile, furtherFiles }: DiscStructure,
  planned: PlannedFile,
): Map<string, PlannedFile> {
  const files = new Map([[mainFile, planned]])
  for (const [at, name] of furtherFiles.entries()) {
    files.set(name, { ...planned, role: { kind: 'part', of: { file: mainFile }, label: null, order: at + 2 } })
  }
  return files
}

/** Returns the fallback title of a disc: the name of its folder. */
export function discTitle({ folder, mainFile }: DiscStructure): string {
  return folder === '' ? mainFile : folder.slice(folder.lastIndexOf('/') + 1)
}

/** Returns the episode of a disc from the name of its folder, or an unnumbered episode with the folder's name. */
export function discEpisode(disc: DiscStructure): EpisodeName {
  const name = parseEpisodePath(pathInLibraryRoot(disc.folder, 'movie.vob'))
  const isNamed = name.episodeNumber !== null || name.airDate !== null
  return isNamed ? name : { ...name, episodeTitle: discTitle(disc) }
}
