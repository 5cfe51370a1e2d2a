import { checkExclusive } from './arguments/exclusive-flags.ts'
import * as Flags from '@oclif/core/flags'
import type { Library } from '../../core/libraries/index.ts'
import type { ScanFailure, ScanJob } from '../../core/scanning/index.ts'
import type { Services } from '../../core/services.ts'
import { findLibrary } from './arguments/find-library.ts'
import { timeoutFlag } from './arguments/library-argument.ts'
import { requestScan, followJob } from './progress/follow-scan.ts'
import type { Progress } from './progress/progress-status.ts'

/** Libraries of these types have films, episodes or videos. */
const FILM_LIBRARIES: ReadonlySet<Library['type']> = new Set(['movie', 'series', 'video'])

/** Flags of the commands that analyse films. */
export const analysisFlags = {
  library: Flags.string({ helpValue: 'LIBRARY', summary: 'Only this library (id or name).' }),
  item: Flags.string({
    helpValue: 'ID',
    summary: 'Only this film or episode, or all episodes of this season or series.',
  }),
  missing: Flags.boolean({ summary: 'Analyse only files that have not been analysed yet (default).' }),
  force: Flags.boolean({ summary: 'Analyse files again that have been analysed before.' }),
  timeout: timeoutFlag,
}

type AnalysisFlags = {
  missing: boolean
  library: string | undefined
  item: string | undefined
  force: boolean
  timeout: number | undefined
}

/** An ended job, and the item that it was limited to. */
export type EndedAnalysis = { library: Library; itemId: string | null; job: ScanJob; failures: ScanFailure[] }

/**
 * Queues an analysis for each library that the flags name, and follows it to its end.
 * @throws AppError `library_not_found`, `media_item_not_found`, `library_busy`, and the errors of `followJob`
 */
export async function followAnalyses(
  services: Services,
  { type, flags }: { type: 'markers' | 'trickplay'; flags: AnalysisFlags },
  { signal, createProgress }: { signal: AbortSignal; createProgress: (title: string) => Promise<Progress> },
): Promise<EndedAnalysis[]> {
  checkExclusive(flags.item !== undefined && flags.library !== undefined, '--item', '--library')
  checkExclusive(flags.missing && flags.force, '--missing', '--force')
  const { listScanFailures } = await import('../../core/scanning/index.ts')
  const ended: EndedAnalysis[] = []
  for (const { library, itemId } of await librariesOf(services, flags)) {
    const request = { library, type, force: flags.force, itemId: itemId ?? undefined }
    const queued = await requestScan(services, request)
    const progress = await createProgress(`Analysing "${library.name}"`)
    const job = await followJob(services, queued, { signal, progress, timeoutSeconds: flags.timeout })
    const failures = job.itemsFailed === 0 ? [] : await listScanFailures(services, { scanJobId: job.id })
    ended.push({ library, itemId, job, failures })
  }
  return ended
}

async function librariesOf(
  services: Services,
  flags: AnalysisFlags,
): Promise<{ library: Library; itemId: string | null }[]> {
  const { getLibrary, listLibraries } = await import('../../core/libraries/index.ts')
  if (flags.item !== undefined) {
    const { getItem } = await import('../../core/catalogue/index.ts')
    const { id: itemId, libraryId } = await getItem(services, flags.item)
    return [{ library: await getLibrary(services, libraryId), itemId }]
  }
  if (flags.library !== undefined) return [{ library: await findLibrary(services, flags.library), itemId: null }]
  const all = await listLibraries(services)
  return all.filter(({ type }) => FILM_LIBRARIES.has(type)).map((library) => ({ library, itemId: null }))
}
