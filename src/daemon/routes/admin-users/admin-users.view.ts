import type { AppError } from '../../../core/platform/errors/index.ts'
import { reasonBody } from '../../plugins/errors.ts'

/** Forms look for what is wrong with each field under `field_errors`. */
export function userErrorView(error: AppError, status: number): Record<string, unknown> {
  const { fields } = error.details
  return { ...reasonBody(error, status), ...(fields === undefined ? {} : { field_errors: fields }) }
}
