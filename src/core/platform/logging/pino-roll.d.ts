// pino-roll 4 declares its types beside a default import that TypeScript does not find under "exports".
declare module 'pino-roll' {
  import type { EventEmitter } from 'node:events'
  import type { DestinationStream } from 'pino'

  export default function roll(options: {
    file: string
    extension?: string
    frequency?: 'daily' | 'hourly'
    size?: string
    minLength?: number
    maxLength?: number
    limit?: { count: number; removeOtherLogFiles?: boolean }
  }): Promise<DestinationStream & EventEmitter>
}
