export {
  audiobookDiscNumber,
  findAudiobookFolder,
  parseAudiobookPath,
  type AudiobookName,
} from './music/audiobook-path.ts'
export { orderAudiobookFiles } from './music/audiobook-order.ts'
export { splitAuthorNames } from './text/author-names.ts'
export { canonicalKey } from './text/canonical-key.ts'
export { parseDiscPart, detectDiscStructure, findFilmFolder, type DiscStructure } from './video/disc-folder.ts'
export {
  extraTypeFromSuffix,
  extraTypeFromFolder,
  detectExtraType,
  findExtrasOwnerFolder,
  type ExtraType,
} from './video/extra-types.ts'
export { compareNaturally } from './text/natural-order.ts'
export { parseBookPath } from './book/book-name.ts'
export { parseComicPath } from './book/comic-name.ts'
export { parseEpisodeFolder } from './episode/episode-folder.ts'
export { parseEpisodePath, type EpisodeName } from './episode/episode-name.ts'
export { foldTitle } from './text/fold-title.ts'
export { parseLanguageWord } from './text/language-word.ts'
export { groupVideoFiles } from './versions/multi-version.ts'
export { parseMovieName } from './video/movie-name.ts'
export { parseMusicFolder } from './music/music-folder.ts'
export { parsePhotoDate } from './photo/parse-photo-date.ts'
export { parseSubtitleName } from './video/subtitle-name.ts'
export { sortTitle } from './text/sort-title.ts'
export { parseTrackName } from './music/track-name.ts'
