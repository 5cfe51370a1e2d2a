export { pluralize } from './pluralize.ts'
export { AppError, type ErrorDetails, type ErrorKind } from './app-error.ts'
export { defineErrors, type ErrorFactory } from './define-errors.ts'
export { describeError, systemErrorCode } from './describe-error.ts'
