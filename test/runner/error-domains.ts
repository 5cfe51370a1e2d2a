import { registerHooks } from 'node:module'
import type { Test } from 'tap'

/**
 * tap finds the test that an uncaught error belongs to by async hooks, which are called for every promise of the process. That is a
 * third of the processor time of tests that ask the database. In a worker the test that runs is the one that fails instead: the tests
 * of a file run one after the other.
 */

const INERT = new URL('inert-domain.ts', import.meta.url).href

/** Loads the replacement when tap loads its domains. Call it before tap is imported. */
export function replaceErrorDomains(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'async-hook-domain' ? { url: INERT, shortCircuit: true } : next(specifier, context),
  })
}

/** Fails the test that runs for an error that nothing has caught. */
export type UncaughtErrors = {
  /** Tests inside of this one take over while they run, until the next file is watched. */
  watch: (file: Test) => void
}

/** @param root fails for errors that come between files. After its end an error is told by the exit code. */
export function failRunningTest(root: Test): UncaughtErrors {
  let running: Test[] = [root]
  process.on('uncaughtException', (thrown: unknown) => {
    // A handler of the program that is tested has to see it alone.
    if (process.listenerCount('uncaughtException') > 1) return
    const error = thrown instanceof Error ? thrown : new Error(`thrown: ${String(thrown)}`)
    const test = running.findLast(({ results }) => results === undefined)
    if (test !== undefined) {
      test.threw(error)
      return
    }
    console.error(error)
    process.once('exit', () => {
      process.exitCode = 1
    })
  })
  return {
    watch(file) {
      running = [root, file]
      file.beforeEach((test) => {
        running.push(test)
      })
      file.afterEach((test) => {
        running = running.filter((one) => one !== test)
      })
    },
  }
}
