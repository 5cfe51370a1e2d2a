import { discStructureOf, parseEpisodePath, type DiscStructure, type EpisodeName } from '../../naming/index.ts'
import { mediaKindOf } from '../../platform/files/index.ts'
import { pathIn } from './file-stem.ts'
import type { FolderView, PlannedFile } from './media-kind.ts'

/** The DVD or Blu-ray that a folder holds, of whose many files one is the film; undefined for other folders. */
export function discOf({ pathInsideRoot, names, sizes }: FolderView): DiscStructure | undefined {
  const videos = names.filter((name) => mediaKindOf(name) === 'video')
  return discStructureOf(pathInsideRoot, videos, (name) => sizes?.get(name) ?? 0)
}

/**
 * The files of a disc's film under one identification: the first is what lists show, the others are its parts.
 * @param planned what the first one is
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

/** What a disc is called that nobody has another name for: the folder that holds it. */
export function titleOfDisc({ folder, mainFile }: DiscStructure): string {
  return folder === '' ? mainFile : folder.slice(folder.lastIndexOf('/') + 1)
}

/** What a disc is among episodes: the one that its folder names, else one without a number under the name of the folder. */
export function episodeOfDisc(disc: DiscStructure): EpisodeName {
  const name = parseEpisodePath(pathIn(disc.folder, 'movie.vob'))
  const isNamed = name.episodeNumber !== null || name.airDate !== null
  return isNamed ? name : { ...name, episodeTitle: titleOfDisc(disc) }
}
