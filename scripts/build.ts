import { spawnSync } from 'node:child_process'
import { cpSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { releaseManifest } from './command-manifest.ts'

// `npm run build`: compiles src/ to dist/src/, copies the files that are not TypeScript, and writes the command manifest. Types are checked
// by `npm run check`: the compiled files do not depend on them, and a check takes six times as long as the compilation.
const root = join(import.meta.dirname, '..')
const typescript = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

rmSync(join(root, 'dist'), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [typescript, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)
for (const path of globSync('src/**/*', { cwd: root, exclude: ['**/*.ts', '**/*.md'], withFileTypes: true })) {
  if (!path.isFile()) continue
  const file = join(path.parentPath, path.name)
  cpSync(file, file.replace(join(root, 'src'), join(root, 'dist', 'src')))
}
writeFileSync(join(root, 'oclif.manifest.json'), await releaseManifest(root))
