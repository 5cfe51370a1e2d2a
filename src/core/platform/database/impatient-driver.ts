import { createPgDriverFactory } from '@slonik/pg-driver'
import { BackendTerminatedError, type DriverClient, type DriverFactory } from 'slonik'

/**
 * The driver, but a query that gets no answer at all is given up: the server's own statement timeout does not help when the server
 * is stopped or the network swallows packets (F-05, F-06). slonik then closes that connection instead of asking it for a rollback.
 */
export function createImpatientDriver(limitMilliseconds: number): DriverFactory {
  const createDriver = createPgDriverFactory()
  return async (input) => {
    const driver = await createDriver(input)
    return { createClient: async () => withLimit(await driver.createClient(), limitMilliseconds) }
  }
}

function withLimit(client: DriverClient, limitMilliseconds: number): DriverClient {
  return {
    ...client,
    async query(...words) {
      let timer: NodeJS.Timeout | undefined
      const silence = new Promise<never>((_, reject) => {
        const giveUp = (): void => reject(new BackendTerminatedError(new Error('the database does not answer')))
        timer = setTimeout(giveUp, limitMilliseconds)
      })
      try {
        return await Promise.race([client.query(...words), silence])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
