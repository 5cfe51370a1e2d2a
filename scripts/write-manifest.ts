import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseManifest } from './command-manifest.ts'

// `npm run manifest`: run it after commands, flags or help texts changed. A test compares the committed file.
const root = join(import.meta.dirname, '..')
writeFileSync(join(root, 'oclif.manifest.json'), await releaseManifest(root))
