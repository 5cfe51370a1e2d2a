export { applyMatch, type AppliedMatch } from './apply-match.ts'
export { checkProviderKeys, type KeyCheck } from './check-provider-keys.ts'
export { clearItems, clearPictureFacts, countItemsToClear, listItemsToClear, type ItemToClear } from './clear-items.ts'
export { createMetadataProviders, hasProvider, type MetadataProviders } from './create-providers.ts'
export { editItem } from './edit-item.ts'
export { metadataErrors } from './errors.ts'
export { listMetadataSources } from './list-sources.ts'
export {
  countItemsToMatch,
  listItemsToMatch,
  matchScopeForJob,
  type RecentMisses,
  type MatchScope,
} from './list-items-to-match.ts'
export type { PosterCandidate } from './provider-facts.ts'
export type { AlbumFacts, ArtistFacts, MusicProvider, WantedAlbum } from './music-facts.ts'
export type { MatchableItem } from './matchable-item.ts'
export { choosePoster, listPosters } from './posters.ts'
export { refreshItem, type RefreshedItem } from './refresh-item.ts'
export { SET_KEY_HINT } from './set-key-hint.ts'
export { createRecentMissFilter, recordMiss } from './record-miss.ts'
export { resolveItem, type ItemResolution } from './resolve-item.ts'
export type { PluginTitleProvider } from './providers/plugin-provider.ts'
export { preferredSourceNames } from './preferred-source-names.ts'
export { searchMatches, type MatchSearch } from './search-matches.ts'
export { writeResolution } from './write-resolution.ts'
