import { foldTitle, parseMovieName, type ExtraType } from '../../naming/index.ts'
import { isThemeName } from '../../theme-media/index.ts'
import { foldStem, pathIn, stemOf } from './file-stem.ts'

type SortedVideos = { films: readonly string[]; extras: ReadonlyMap<string, ExtraType> }

/**
 * Films that are really called Theme or Backdrop, among what such a name makes a theme: the only one in a folder that has the same title
 * and no other film; and in the library folder, which is no film's, all but those that are the theme of the library (document 2, Theme
 * media).
 */
export function themeNamesakes(pathInsideRoot: string, { films, extras }: SortedVideos): string[] {
  const themes = [...extras.keys()].filter((name) => ['theme', 'backdrop'].includes(foldStem(stemOf(name))))
  if (pathInsideRoot === '') return themes.filter((name) => !isThemeName(name))
  const [only] = themes
  if (only === undefined || themes.length > 1 || films.length > 0) return []
  const { title } = parseMovieName(pathIn(pathInsideRoot, 'movie.avi'))
  return foldTitle(title) === foldTitle(stemOf(only)) ? [only] : []
}
