import { detectExtraType, findFilmFolder } from '../../naming/index.ts'
import { mediaFileKind } from '../../platform/files/index.ts'
import { normalizeStem, nfoFilesByStem, pathInLibraryRoot } from './file-stem.ts'
import { companionPictures } from './local-artwork.ts'
import type { CompanionFile, FolderContents } from './media-kind.ts'

/** A folder from the film's folder down to the parent of the folder that holds its file. */
export type AncestorFolder = {
  name: string
  /** Relative path from the folder of the file to this one: `../`. */
  relativePath: string
  /** Names of the files in it. */
  fileNames: readonly string[]
}

/**
 * Returns the folders above a film in nested folders such as `VIDEO_TS`, `BDMV/STREAM` or `CD1`, nearest first. The library folder is
 * excluded, as is any folder with a film file, because its files describe that film.
 * @param fileName name of the film's file
 */
export function listFilmAncestorFolders(
  { pathInsideRoot, above = [] }: FolderContents,
  fileName: string,
): AncestorFolder[] {
  const film = findFilmFolder(pathInsideRoot, fileName)
  const folders: AncestorFolder[] = []
  let path = pathInsideRoot
  let relativePath = ''
  while (path !== film) {
    path = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
    relativePath += '../'
    const fileNames = above
      .filter((name) => name.lastIndexOf('/') + 1 === relativePath.length)
      .map((name) => name.slice(relativePath.length))
    if (path === '' || fileNames.some((name) => isFilm(path, name))) break
    folders.push({ name: path.slice(path.lastIndexOf('/') + 1), relativePath, fileNames })
  }
  return folders
}

function isFilm(folder: string, name: string): boolean {
  return mediaFileKind(name) === 'video' && detectExtraType(pathInLibraryRoot(folder, name)) === undefined
}

/**
 * Returns `movie.nfo` and the NFO with the name of the folder (Jellyfin), the latter more trusted; NFO files of nearer folders come last.
 */
export function findAncestorNfo(folders: readonly AncestorFolder[]): string[] {
  return folders.toReversed().flatMap(({ name, relativePath, fileNames }) => {
    const nfo = nfoFilesByStem(fileNames)
    return [nfo.get('movie'), nfo.get(normalizeStem(name))].flatMap((found) =>
      found === undefined ? [] : [relativePath + found],
    )
  })
}

/** Returns the pictures above a film, of the kinds that no nearer folder has. @param companions pictures in the film's own folder */
export function findAncestorPictures(
  folders: readonly AncestorFolder[],
  { film, companions }: { film: string; companions: readonly CompanionFile[] },
): CompanionFile[] {
  const kinds = new Set(companions.flatMap(({ kind, of }) => (of === film ? [kind] : [])))
  return folders.flatMap(({ name, relativePath, fileNames }) => {
    const pictures = companionPictures({
      pictures: fileNames.filter((one) => mediaFileKind(one) === 'photo'),
      files: new Map([[normalizeStem(name), film]]),
      folder: film,
      folderName: name,
      plain: 'poster',
    }).filter(({ kind }) => !kinds.has(kind))
    for (const { kind } of pictures) kinds.add(kind)
    return pictures.map(({ name: picture, kind, of, details }) => ({ name: relativePath + picture, kind, of, details }))
  })
}
