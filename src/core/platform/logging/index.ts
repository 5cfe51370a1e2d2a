export { createLogger, type Logger, type LoggerOptions } from './create-logger.ts'
export { withoutQuery } from './redaction.ts'
