import type { Logger as PinoLogger } from 'pino'

/** The eight syslog severities as pino levels. `warn`, `fatal` and `trace` remain for libraries that use them. */
export const CUSTOM_LEVELS = { notice: 35, warning: 40, critical: 60, alert: 70, emergency: 80 } as const

export type Logger = PinoLogger<keyof typeof CUSTOM_LEVELS>
