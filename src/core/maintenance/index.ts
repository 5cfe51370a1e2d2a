export { checkHealth, HEALTH_KINDS, type HealthFinding, type HealthKind, type LibraryHealth } from './check-health.ts'
export { mergeDuplicates, type MergedDuplicates } from './merge-duplicates.ts'
export { deleteLibrary, describeContent, type DeletedLibrary, type LibraryContent } from './delete-library.ts'
