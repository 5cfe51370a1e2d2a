import type { FieldProblems } from '../platform/credentials/index.ts'
import { accountErrors } from './errors.ts'

/** Combines all broken rules into one error. */
export function validationFailure(fields: FieldProblems): Error {
  const sentences = Object.entries(fields).map(([field, problem]) => `${field} ${problem}`)
  return accountErrors.validation_failed({ message: sentences.join('; '), details: { fields } })
}
