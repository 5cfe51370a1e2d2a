import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { absentPackages } from '../../scripts/complete-lockfile.ts'

const root = join(import.meta.dirname, '..', '..')

void t.test(
  'package-lock.json describes every optional package that it names, so that `npm ci` accepts it',
  async (t) => {
    const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    t.strictSame(
      absentPackages(lockfile).map(({ name }) => name),
      [],
      'else: node scripts/complete-lockfile.ts',
    )
  },
)

void t.test(
  'an optional package is found missing unless it is described at the top or below the package that names it',
  async (t) => {
    const owner = { version: '1.0.0', optionalDependencies: { '@tool/linux-x64': '1.0.0' } }
    const missing = { packages: { 'node_modules/tool': owner } }
    const onTop = { packages: { ...missing.packages, 'node_modules/@tool/linux-x64': { version: '1.0.0' } } }
    const below = {
      packages: { ...missing.packages, 'node_modules/tool/node_modules/@tool/linux-x64': { version: '1.0.0' } },
    }
    t.strictSame(absentPackages(missing), [{ name: '@tool/linux-x64', version: '1.0.0', owner }])
    t.strictSame(absentPackages(onTop), [])
    t.strictSame(absentPackages(below), [])
  },
)
