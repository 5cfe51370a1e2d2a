import { replaceControlCharacters } from '../output/table.ts'

/** The progress of a task. `total` is null while unknown. */
export type ProgressStatus = { done: number; total: number | null; currentPath: string | null }

/** Reports the progress of a command on stderr. */
export type Progress = {
  update(status: ProgressStatus): void
  /** Ends the display. `summary` is the last JSON line; omit it when the work failed. */
  end(summary?: Readonly<Record<string, unknown>>): Promise<void>
}

/** `504 of 1204, path/of/file`. */
export function describeProgress({ done, total, currentPath }: ProgressStatus): string {
  const count = total === null ? `${done}` : `${done} of ${total}`
  return currentPath === null ? count : `${count}, ${replaceControlCharacters(currentPath)}`
}

/** Completed share, 0 to 1; null while the total is unknown. */
export function completedShare({ done, total }: ProgressStatus): number | null {
  if (total === null || total === 0) return null
  return Math.round(Math.min(1, done / total) * 1000) / 1000
}
