import { dirname } from 'node:path'
import { findFailedAnalyses, type AnalysisResult } from '../analysis/index.ts'
import {
  findFilesInFolders,
  findItemProblems,
  PROBLEM_KINDS,
  type ItemProblem,
  type ProblemKind,
} from '../catalogue/index.ts'
import type { Library } from '../libraries/index.ts'
import type { Connection } from '../platform/database/index.ts'
import { listScanFailures, listLibraryScanJobs } from '../scanning/index.ts'

/** `analysis`: films that could not be read for markers or for the pictures of their time line. */
export type HealthKind = ProblemKind | 'analysis'

export const HEALTH_KINDS: readonly HealthKind[] = [...PROBLEM_KINDS, 'analysis']

/** A problem for an administrator: an item, or a file that could not be made an item. */
export type HealthFinding = Omit<ItemProblem, 'itemId' | 'type' | 'name'> & {
  kind: HealthKind
  itemId: string | null
  name: string | null
}

export type LibraryHealth = {
  /** Number of problems of each requested kind. */
  counts: Partial<Record<HealthKind, number>>
  /** Grouped by kind, each up to the requested limit. */
  findings: HealthFinding[]
}

/**
 * Reports the problems of some libraries that the catalogue and the last scan have recorded; no file is opened.
 * @param input.limit maximum number of findings of each kind; the counts are not limited
 */
export async function checkLibraryHealth(
  { db }: { db: Connection },
  { libraries, kinds, limit }: { libraries: readonly Library[]; kinds: readonly HealthKind[]; limit: number },
): Promise<LibraryHealth> {
  const libraryIds = libraries.map(({ id }) => id)
  const counts: Partial<Record<HealthKind, number>> = {}
  const findings: HealthFinding[] = []
  for (const kind of kinds) {
    if (kind === 'analysis') {
      const { count, failed } = await findFailedAnalyses({ db }, { libraryIds, limit })
      counts[kind] = count
      findings.push(...failed.map((result) => unanalysed(result)))
      continue
    }
    const { count, problems } = await findItemProblems(db, { libraryIds, kind, limit })
    const found = problems.map((problem): HealthFinding => Object.assign({ kind }, problem))
    const lost = kind === 'bad' ? await findLostFiles(db, libraries) : []
    counts[kind] = count + lost.length
    findings.push(...[...found, ...lost].slice(0, limit))
  }
  return { counts, findings }
}

function unanalysed({ libraryId, itemId, name, path, feature, reason }: AnalysisResult): HealthFinding {
  return {
    kind: 'analysis',
    libraryId,
    itemId,
    name,
    path,
    reason: `${FEATURE_NAMES[feature]}: ${reason ?? ''}`,
    missingSince: null,
    groupNumber: null,
  }
}

const FEATURE_NAMES = { fingerprint: 'sound', credits: 'credits', trickplay: 'pictures of the time line' } as const

/** The failures of the last scan without an item: folders that cannot be listed, and unusable names. */
async function findLostFiles(db: Connection, libraries: readonly Library[]): Promise<HealthFinding[]> {
  const lost: HealthFinding[] = []
  for (const { id: libraryId } of libraries) {
    const history = await listLibraryScanJobs({ db }, { libraryId, limit: 100 })
    const last = history.find(({ type, completedAt }) => (type === 'scan' || type === 'rescan') && completedAt !== null)
    if (last === undefined) continue
    const failures = await listScanFailures({ db }, { scanJobId: last.id })
    const folders = [...new Set(failures.map(({ path }) => dirname(path)))]
    const items = new Set((await findFilesInFolders(db, { libraryId, folders })).map(({ path }) => path))
    for (const { path, reason } of failures) {
      if (items.has(path)) continue
      lost.push({
        kind: 'bad',
        libraryId,
        itemId: null,
        name: null,
        path,
        reason,
        missingSince: null,
        groupNumber: null,
      })
    }
  }
  return lost
}
