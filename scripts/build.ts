import { join } from 'node:path'
import { buildRelease } from './build-release.ts'

// `npm run build`
const root = join(import.meta.dirname, '..')
await buildRelease({ root, target: root })
