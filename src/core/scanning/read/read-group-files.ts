import type { LocalMetadata } from '../../probing/index.ts'
import type { CompletedFolder } from '../job/scan-event.ts'
import type { ScanState } from '../job/scan-state.ts'

/**
 * Reads the sidecars of a folder that describe its group (`tvshow.nfo`), in plan order, in the reader threads. Unreadable files
 * contribute nothing.
 */
export async function readGroupFiles(
  { services, signal }: Pick<ScanState, 'services' | 'signal'>,
  { root, plan, companions }: CompletedFolder,
): Promise<readonly LocalMetadata[]> {
  const files = plan.companions.flatMap(({ name, kind }) => (kind === 'nfo' ? (companions.get(name) ?? []) : []))
  const [first] = files
  if (first === undefined) return []
  const { path, sizeBytes } = first
  const sidecars = files.map((file) => file.path)
  const reading = await services.readers.read({ root, path, sizeBytes, as: 'sidecars', sidecars }, signal)
  return reading.kind === 'gone' ? [] : reading.local
}
