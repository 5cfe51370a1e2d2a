import { printable } from './table.ts'

/** How far a piece of work is. `total` is null until it is known. */
export type ProgressStatus = { done: number; total: number | null; currentPath: string | null }

/** Tells how far a command is; always on stderr. */
export type Progress = {
  update(status: ProgressStatus): void
  /** Ends the display. `summary` is the last JSON line; leave it out when the work failed. */
  end(summary?: Readonly<Record<string, unknown>>): Promise<void>
}

/** `504 of 1204, path/of/file`. */
export function describeStatus({ done, total, currentPath }: ProgressStatus): string {
  const count = total === null ? `${done}` : `${done} of ${total}`
  return currentPath === null ? count : `${count}, ${printable(currentPath)}`
}

/** 0 to 1, or null while the total is not known. */
export function shareOf({ done, total }: ProgressStatus): number | null {
  if (total === null || total === 0) return null
  return Math.round(Math.min(1, done / total) * 1000) / 1000
}
