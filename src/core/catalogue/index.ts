export { enqueueItemEvents } from './items/enqueue-item-events.ts'
export { createCatalogueCache, type CatalogueCache } from './cache/catalogue-cache.ts'
export { describeItems } from './items/describe-items.ts'
export { catalogueErrors } from './errors.ts'
export { findNextEpisode } from './items/find-next-episode.ts'
export { findItemProblems, PROBLEM_KINDS, type ItemProblem, type ProblemKind } from './items/find-item-problems.ts'
export { findDuplicates, type DuplicateCopy, type DuplicateGroup } from './groups/find-duplicates.ts'
export { findAncestors } from './items/find-ancestors.ts'
export { findItemIds } from './items/find-item-ids.ts'
export { findItems, findListedItems, findCachedItems } from './items/find-items.ts'
export { findSimilarItems, type SimilarItem } from './items/find-similar-items.ts'
export { removeUnusedSearchWords } from './items/remove-unused-search-words.ts'
export { getItem, type MediaItemDetail } from './items/get-item.ts'
export { computeLetterSections, computeListSections, type ListIndex } from './listing/list-sections.ts'
export { normalizeSearch, type ItemFilter } from './filter/item-filter.ts'
export { listFilterValues } from './listing/list-filter-values.ts'
export { findFileStamps, type FileStamp } from './files/file-stamps.ts'
export { listFilesOfItems, listItemFiles, type ItemFile } from './files/list-item-files.ts'
export {
  countFiles,
  countMissingFiles,
  findFilesInFolders,
  findSuccessors,
  findIdsByPath,
  findMoveCandidates,
  listFolderHashesOfUnreadFiles,
  hasFiles,
  listMissingFiles,
  setFilesMissingSince,
  removeMissingItems,
  moveItemToPath,
  sampleFiles,
  type KnownFile,
  type MissingFile,
  type MoveCandidate,
} from './files/known-files.ts'
export { listItemParts, listItemSources, type ItemSource } from './files/item-sources.ts'
export { listItems, type ItemPage } from './listing/list-items.ts'
export { listLibraryItems } from './listing/list-library-items.ts'
export type { Chapter, ListedItem, MediaItem, MediaItemType, MediaStream } from './item/media-item.ts'
export { findMissingEpisodes, type MissingEpisodes } from './items/missing-episodes.ts'
export { episodeOrderColumns } from './queries/episodes.ts'
export { openItemFile, type OpenItemFile } from './files/open-item-file.ts'
export { createOpenMediaFile, type OpenMediaFile } from './files/open-media-file.ts'
export { checkPage, UNPAGED_LIST_BOUNDS, type Page, type PageRequest } from './item/page.ts'
export { pathHash } from './item/path-hash.ts'
export { removeItem } from './items/remove-item.ts'
export { removeLibraryItems } from './items/remove-library-items.ts'
export { shuffleItem } from './items/shuffle-item.ts'
export { postgresSafeJson, postgresSafeName, postgresSafeSortTitle } from './item/postgres-safe.ts'
export { storeFolderArrangement, removeSidecars } from './groups/store-folder-arrangement.ts'
export type { SidecarWrite } from './item/sidecar-write.ts'
export type { FileRelation } from './item/file-relation.ts'
export type { GroupFacts, GroupWrite } from './item/group-write.ts'
export { reapplyMerges, mergeItems, type DuplicateMerge } from './groups/merge-items.ts'
export { lockGroupsIfMergeable, mergeGroups, removeEmptyGroups } from './groups/merge-groups.ts'
export { writeItems } from './items/write-items.ts'
export type { ItemRole, ItemWrite, StreamWrite, WrittenItem } from './item/item-write.ts'
export { correctFileSeconds, listLibraryFiles, type LibraryFile } from './files/library-files.ts'
export { countUnreadFiles, storeProbeResult, listUnreadFiles, markUnreadable } from './files/unread-files.ts'
export {
  examineRepeatedFiles,
  FILE_KEY,
  listRepeatedFiles,
  removeRepeatedFile,
  restoreFileKey,
  type RepeatedFile,
} from './files/repeated-files.ts'
export { searchPhrase } from './filter/search-words.ts'
