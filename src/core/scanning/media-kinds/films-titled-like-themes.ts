import { foldTitle, parseMovieName, type ExtraType } from '../../naming/index.ts'
import { isThemeName } from '../../theme-media/index.ts'
import { normalizeStem, pathInLibraryRoot, fileStem } from './file-stem.ts'

type SortedVideos = { films: readonly string[]; extras: ReadonlyMap<string, ExtraType> }

/**
 * Returns films that are really titled Theme or Backdrop among the files that such a name makes a theme: the only such file in a folder
 * of the same title without other films; in the library folder, all except the theme of the library itself.
 */
export function findFilmsTitledLikeThemes(pathInsideRoot: string, { films, extras }: SortedVideos): string[] {
  const themes = [...extras.keys()].filter((name) => ['theme', 'backdrop'].includes(normalizeStem(fileStem(name))))
  if (pathInsideRoot === '') return themes.filter((name) => !isThemeName(name))
  const [only] = themes
  if (only === undefined || themes.length > 1 || films.length > 0) return []
  const { title } = parseMovieName(pathInLibraryRoot(pathInsideRoot, 'movie.avi'))
  return foldTitle(title) === foldTitle(fileStem(only)) ? [only] : []
}
