import type { AppError } from '../../../core/platform/errors/index.ts'
import { errorReasonBody } from '../../hooks/errors.ts'

/** Forms read the errors of each field from `field_errors`. */
export function userErrorView(error: AppError, status: number): Record<string, unknown> {
  const { fields } = error.details
  return { ...errorReasonBody(error, status), ...(fields === undefined ? {} : { field_errors: fields }) }
}
