export { enqueueItemEvents } from './enqueue-item-events.ts'
export { readCatalogueVersion } from './catalogue-cache.ts'
export { describeItems } from './describe-items.ts'
export { catalogueErrors } from './errors.ts'
export { findProblems, PROBLEM_KINDS, type Problem, type ProblemKind } from './find-problems.ts'
export { findDuplicates, type Copy, type DuplicateGroup } from './find-duplicates.ts'
export { findAncestors } from './find-ancestors.ts'
export { findItemIds } from './find-item-ids.ts'
export { findItems, findListedItems, findCachedItems } from './find-items.ts'
export { findSimilar, type SimilarItem } from './find-similar.ts'
export { removeUnusedWords } from './remove-unused-words.ts'
export { getItem, type MediaItemDetail } from './get-item.ts'
export { indexLetters, indexList, type ListIndex } from './index-list.ts'
export { readSearch, type ItemFilter } from './item-filter.ts'
export { listFacets } from './list-facets.ts'
export { listFilesOfItems, listItemFiles, type ItemFile } from './list-item-files.ts'
export {
  countFiles,
  countMissingFiles,
  findFilesInFolders,
  findSuccessors,
  findIdsByPath,
  findMoveCandidates,
  findUnreadFolders,
  hasFiles,
  listMissingFiles,
  markFiles,
  removeMissingItems,
  moveItemToPath,
  sampleFiles,
  type KnownFile,
  type MissingFile,
  type MoveCandidate,
} from './known-files.ts'
export { listItemParts, listItemSources, type ItemSource } from './item-sources.ts'
export { listItems, type ItemPage } from './list-items.ts'
export { listLibraryItems } from './list-library-items.ts'
export type { Chapter, ListedItem, MediaItem, MediaItemType, MediaStream } from './media-item.ts'
export { findMissingEpisodes, type MissingEpisodes } from './missing-episodes.ts'
export { openItemFile, type OpenItemFile } from './open-item-file.ts'
export { openMediaFile } from './open-media-file.ts'
export { checkPage, WHOLE_LIST, type Page, type PageRequest } from './page.ts'
export { pathHash } from './path-hash.ts'
export { removeItem, shuffleItem } from './remove-item.ts'
export { postgresSafeJson, postgresSafeName, postgresSafeSortTitle } from './postgres-safe.ts'
export { arrangeItems, removeSidecars, type GroupFacts, type Placement, type SidecarWrite } from './arrange-items.ts'
export { reapplyMerges, mergeItems, type Merge } from './merge-items.ts'
export { isMergeable, mergeGroups, removeEmptyGroups } from './merge-groups.ts'
export {
  writeItems,
  type GroupWrite,
  type ItemRole,
  type ItemWrite,
  type StreamWrite,
  type WrittenItem,
} from './write-items.ts'
export {
  countUnread,
  correctFileSeconds,
  fillFileFacts,
  listLibraryFiles,
  listUnreadFiles,
  markUnreadable,
  removeSomeItems,
  type LibraryFile,
} from './library-files.ts'
