import { pluralize } from '../../../core/platform/errors/index.ts'
import { EXIT } from '../exit-codes.ts'

/** Repeated rows that a command has found and removed. */
export type Repeated = {
  /** Before the command. */
  count: number
  isKeyMissing: boolean
  removedCount: number
  /** After the command. */
  hasKey: boolean
}

/** The result, text and exit code of a command that removes repeated rows. */
export function describeRepeated(
  { count, isKeyMissing, removedCount, hasKey }: Repeated,
  { isDryRun, noun, key }: { isDryRun: boolean; noun: string; key: string },
): { result: object; text: string; exit: number } {
  const result = {
    dry_run: isDryRun,
    found: count,
    removed: removedCount,
    key_added: isKeyMissing && hasKey,
    has_key: hasKey,
  }
  const repeated = `repeated ${noun}`
  if (isDryRun) {
    const state = isKeyMissing ? `would be added` : `exists`
    const text = `${pluralize(count, repeated)} would be removed; the ${key} ${state}`
    return { result, text, exit: EXIT.ok }
  }
  const removed = `Removed ${pluralize(removedCount, repeated)}`
  if (!hasKey) {
    const text = `${removed}; the ${key} could not be added, because others are being written: stop the server and repeat`
    return { result, text, exit: EXIT.partial }
  }
  return { result, text: `${removed}; ${isKeyMissing ? `added the ${key}` : `the ${key} exists`}`, exit: EXIT.ok }
}
