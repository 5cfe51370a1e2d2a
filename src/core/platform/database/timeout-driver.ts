import { createPgDriverFactory } from '@slonik/pg-driver'
import { BackendTerminatedError, type DriverClient, type DriverFactory } from 'slonik'
import { withTimeLimit } from '../concurrency/index.ts'
import type { BackgroundThrottle } from '../threads/index.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

export type TimeoutDriverOptions = {
  limitMilliseconds: number
  /** Statements of background work wait while requests are answered. */
  throttle?: BackgroundThrottle | undefined
  /** Runs once on each connection, before its first statement. If it fails, it is retried before the next statement. */
  prepare?: ((client: Pick<DriverClient, 'query'>) => Promise<void>) | undefined
}

/**
 * A driver that prepares repeated statements and gives up on a query when the server does not answer. `statement_timeout` does not help if
 * the server process is stopped or packets are lost. After a timeout, slonik closes the connection instead of sending a rollback.
 */
export function createTimeoutDriver(rules: TimeoutDriverOptions): DriverFactory {
  const createDriver = createPgDriverFactory()
  const names = createStatementNames()
  return async (input) => {
    const driver = await createDriver(input)
    return { createClient: async () => withLimit(await driver.createClient(), { names, ...rules }) }
  }
}

type Rules = TimeoutDriverOptions & { names: StatementNames }

type Query = DriverClient['query']

function withLimit(client: DriverClient, { names, limitMilliseconds, prepare, throttle }: Rules): DriverClient {
  let granted = 0
  let isPrepared = false
  const ask: Query = async (text, values, options) => {
    granted = grantedAfter(text, granted)
    const name = options?.name ?? names.nameOf(text)
    const named = name === undefined ? options : { ...options, name }
    const result = await withTimeLimit(client.query(text, values, named), {
      milliseconds: limitMilliseconds + granted,
      onTimeout: () => {
        throw new BackendTerminatedError(new Error('the database does not answer'))
      },
    })
    return detachRows(result)
  }
  const askThrottled = throttle === undefined ? ask : throttled(ask, throttle)
  return {
    ...client,
    async query(text, values, options) {
      if (!isPrepared) {
        await prepare?.({ query: ask })
        isPrepared = true
      }
      return askThrottled(text, values, options)
    },
  }
}

type QueryResult = Awaited<ReturnType<Query>>

/**
 * Moves the rows out of pg's result object. V8 keeps that object until a major GC, and would promote the strings of its rows to the old
 * generation with it.
 */
function detachRows(result: QueryResult): QueryResult {
  return { ...result, rows: result.rows.splice(0) }
}

/** Waits until pending requests have been answered, and reports the busy time to the throttle. */
function throttled(ask: Query, throttle: BackgroundThrottle): Query {
  return async (text, values, options) => {
    throttle.yieldToRequests()
    const end = throttle.beginBackgroundStatement()
    try {
      return await ask(text, values, options)
    } finally {
      end()
    }
  }
}

const LOCAL_LIMIT = /^set local statement_timeout = '(\d{1,4})s'$/

/** Extra milliseconds for the statements of a transaction with its own `statement_timeout`. Reset by the next transaction. */
function grantedAfter(text: string, granted: number): number {
  if (text === 'START TRANSACTION') return 0
  const seconds = LOCAL_LIMIT.exec(text)?.[1]
  return seconds === undefined ? granted : Number(seconds) * 1000
}
