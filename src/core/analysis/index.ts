export { analysisErrors } from './errors.ts'
export { FEATURES, type AnalysedFile, type Feature, type FeatureOutcome } from './film/analysed-file.ts'
export {
  clearMarkers,
  findItemsByMarker,
  isMarkerType,
  listMarkers,
  setMarkers,
  type ManualMarker,
} from './markers/item-markers.ts'
export { MARKER_TYPES, type Marker, type MarkerSource, type MarkerType } from './markers/marker.ts'
export {
  countFilms,
  selectFilms as listFilms,
  selectSeasonLanguage as seasonLanguage,
  type Film,
  type FilmSelection,
} from './queries/films.ts'
export {
  countChangedSeasons,
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
} from './work/analyse-film.ts'
export { compareSeason, writeSeasonComparison, type SeasonComparison } from './work/compare-season.ts'
export { findFailedAnalyses, listMarkedItems, listResults, type MarkedItem } from './work/list-results.ts'
export type { AnalysisResult } from './queries/results.ts'
