import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildDebianPackage } from './package/debian-package.ts'

// `npm run package`
const root = join(import.meta.dirname, '..')
const path = await buildDebianPackage(root, join(root, 'dist-packages'))
process.stdout.write(`${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${path}\n`)
