export { analysisErrors } from './errors.ts'
export { type AnalysedFile, type AnalysisFeature, type FeatureOutcome } from './film/analysed-file.ts'
export type { FrameConsumer } from './film-reading/frame-consumer.ts'
export { readFilm, type FilmReading, type FilmReadRequest, type SoundReading } from './film-reading/read-film.ts'
export { writeBif } from './trickplay/formats/bif.ts'
export { writeImagePlaylist } from './trickplay/formats/image-playlist.ts'
export { writeStoryboard } from './trickplay/formats/storyboard-vtt.ts'
export {
  drawSprite,
  findFilmTrickplay,
  readFilmPictures,
  chooseSpritePictures,
  type TimelinePicture,
  type FilmTrickplay,
} from './trickplay/film-trickplay.ts'
export { chapterPictureResource, openChapterPicture } from './trickplay/chapter-picture.ts'
export {
  cellPosition,
  gridIndexOfPicture,
  PICTURES_PER_GRID,
  SPRITE_GRID,
  STORED_GRID,
} from './trickplay/grid-geometry.ts'
export { openSetFile, type TrickplaySet } from './trickplay/read-trickplay-set.ts'
export { startTrickplaySweeps } from './trickplay/start-trickplay-sweeps.ts'
export type { TrickplayStats, TrickplaySweepResult } from './trickplay/sweep-trickplay-sets.ts'
export {
  parseTrickplayFile,
  TRICKPLAY_NAMES,
  trickplayResource,
  type TrickplayFile,
} from './trickplay/trickplay-address.ts'
export { gridFileName } from './trickplay/set-folders.ts'
export { selectItemsWithoutTrickplay } from './queries/trickplay-results.ts'
export { createTrickplayStore, type TrickplayStore } from './trickplay/trickplay-store.ts'
export {
  clearMarkers,
  findItemsByMarker,
  isMarkerType,
  listMarkers,
  setMarkers,
  type ManualMarker,
} from './markers/item-markers.ts'
export { type Marker, type MarkerSource, type MarkerType } from './film/marker.ts'
export {
  countFilms,
  hasFilms,
  selectFilms as listFilms,
  selectSeasonLanguage as seasonLanguage,
  type Film,
  type FilmSelection,
} from './queries/films.ts'
export {
  hasNewEpisodes,
  selectChangedSeasons as listChangedSeasons,
  type ChangedSeason,
  type SeasonSelection,
} from './queries/seasons.ts'
export {
  analyseFilm,
  writeFilmAnalysis,
  type AnalysisServices,
  type FilmAnalysis,
  type PictureStore,
} from './tasks/analyse-film.ts'
export { compareSeason, writeSeasonComparison, type SeasonComparison } from './tasks/compare-season.ts'
export { findFailedAnalyses, listMarkedItems, listAnalysisResults, type MarkedItem } from './tasks/list-results.ts'
export type { AnalysisResult } from './queries/analysis-results.ts'
export { MatchingThreadLost } from './season/matching-thread.ts'
