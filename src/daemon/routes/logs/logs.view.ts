import type { LogFile } from '../../../core/platform/logging/index.ts'
import { toIsoTimestamp } from '../../../core/platform/time/index.ts'

export function logFileView({ name, sizeBytes, modifiedAt }: LogFile) {
  return { name, size: sizeBytes, modified_at: toIsoTimestamp(modifiedAt) }
}
