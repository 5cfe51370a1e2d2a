import { registerHooks } from 'node:module'
import type { Test } from 'tap'

const SCHEME = 'phlix-test-scope:'
const CURRENT = Symbol.for('phlix.test.current-file')

type Scope = { t: Test; onModulesLoaded: () => void }

/**
 * Gives each test file a `tap` of its own while several files share a process: `import t from 'tap'` in a test file is the subtest of
 * that file. Its `t.teardown` and `t.beforeEach` therefore end with the file, as in a process of its own. Call it once per process.
 * @returns sets the scope for the file that is imported next
 */
export function scopeTapToFiles(): (scope: Scope) => void {
  const tap = import.meta.resolve('tap')
  // All modules of a file are loaded before the first is evaluated, so this one also marks the end of loading.
  const source = `
    export * from ${JSON.stringify(tap)}
    const { t, onModulesLoaded } = globalThis[Symbol.for(${JSON.stringify(CURRENT.description)})]
    onModulesLoaded()
    export default t`
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'tap' || context.parentURL?.endsWith('.test.ts') !== true) return next(specifier, context)
      return { url: `${SCHEME}${context.parentURL}`, format: 'module', shortCircuit: true }
    },
    load(url, context, next) {
      return url.startsWith(SCHEME) ? { format: 'module', source, shortCircuit: true } : next(url, context)
    },
  })
  return (scope) => {
    Object.assign(globalThis, { [CURRENT]: scope })
  }
}
