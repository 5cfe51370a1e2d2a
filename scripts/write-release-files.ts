import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from './package/bill-of-materials.ts'
import { readSourceStamp } from './package/build-time.ts'
import { shrinkwrap, type Lockfile } from './package/lockfile.ts'

// `npm pack` runs this before it makes the archive, and removes the files afterwards: npm would read npm-shrinkwrap.json of a checkout
// instead of package-lock.json.
const root = join(import.meta.dirname, '..')
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
writeFileSync(join(root, 'sbom.cdx.json'), billOfMaterials(root, readSourceStamp(root)))
writeFileSync(join(root, 'npm-shrinkwrap.json'), shrinkwrap(lock))
