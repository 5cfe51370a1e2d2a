import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { releaseManifest } from '../../scripts/command-manifest.ts'

const root = join(import.meta.dirname, '..', '..')

void t.test('oclif.manifest.json equals the descriptions of the commands', async (t) => {
  t.equal(
    readFileSync(join(root, 'oclif.manifest.json'), 'utf8'),
    await releaseManifest(root),
    'else: npm run manifest',
  )
})
