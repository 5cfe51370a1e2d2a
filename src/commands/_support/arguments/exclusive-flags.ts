import { commandErrors } from '../errors.ts'

/** @throws AppError `usage` */
export function checkExclusive(areBothGiven: boolean, one: string, other: string): void {
  if (areBothGiven) throw commandErrors.usage({ message: `Give only one of ${one} and ${other}` })
}
