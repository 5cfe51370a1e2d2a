import { extraTypeOf, filmFolderOf } from '../../naming/index.ts'
import { mediaKindOf } from '../../platform/files/index.ts'
import { foldStem, nfoByStem, pathIn } from './file-stem.ts'
import { picturesBeside } from './local-artwork.ts'
import type { BesideFile, FolderView } from './media-kind.ts'

/** A folder between that of a film and the one that holds its file, the former included. */
export type FolderAbove = {
  name: string
  /** From the folder of the file to this one: `../`. */
  way: string
  /** Of the files in it, as they are called there. */
  fileNames: readonly string[]
}

/**
 * What lies above a film that has folders of its own inside its folder: above `VIDEO_TS`, `BDMV/STREAM`, `CD1`. The nearest folder
 * first. The library folder tells about no film, and a folder with a film file tells about that one.
 * @param fileName of the film
 */
export function foldersAboveFilm({ pathInsideRoot, above = [] }: FolderView, fileName: string): FolderAbove[] {
  const film = filmFolderOf(pathInsideRoot, fileName)
  const folders: FolderAbove[] = []
  let path = pathInsideRoot
  let way = ''
  while (path !== film) {
    path = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
    way += '../'
    const fileNames = above
      .filter((name) => name.lastIndexOf('/') + 1 === way.length)
      .map((name) => name.slice(way.length))
    if (path === '' || fileNames.some((name) => isFilm(path, name))) break
    folders.push({ name: path.slice(path.lastIndexOf('/') + 1), way, fileNames })
  }
  return folders
}

function isFilm(folder: string, name: string): boolean {
  return mediaKindOf(name) === 'video' && extraTypeOf(pathIn(folder, name)) === undefined
}

/** `movie.nfo`, and before it the NFO with the name of the folder (Jellyfin); those of a nearer folder come later. */
export function nfoAboveFilm(folders: readonly FolderAbove[]): string[] {
  return folders.toReversed().flatMap(({ name, way, fileNames }) => {
    const nfo = nfoByStem(fileNames)
    return [nfo.get('movie'), nfo.get(foldStem(name))].flatMap((found) => (found === undefined ? [] : [way + found]))
  })
}

/** The pictures above a film of the kinds that no nearer folder has. @param beside what lies in the film's own folder */
export function picturesAboveFilm(
  folders: readonly FolderAbove[],
  { film, beside }: { film: string; beside: readonly BesideFile[] },
): BesideFile[] {
  const kinds = new Set(beside.flatMap(({ kind, of }) => (of === film ? [kind] : [])))
  return folders.flatMap(({ name, way, fileNames }) => {
    const pictures = picturesBeside({
      pictures: fileNames.filter((one) => mediaKindOf(one) === 'photo'),
      files: new Map([[foldStem(name), film]]),
      folder: film,
      folderName: name,
      plain: 'poster',
    }).filter(({ kind }) => !kinds.has(kind))
    for (const { kind } of pictures) kinds.add(kind)
    return pictures.map(({ name: picture, kind, of, details }) => ({ name: way + picture, kind, of, details }))
  })
}
