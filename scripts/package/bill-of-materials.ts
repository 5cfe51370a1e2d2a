import { uuidOf, type SourceStamp } from './build-time.ts'
import { npm } from './npm.ts'

type CycloneDx = {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string } }
  [key: string]: unknown
}

/**
 * The list of the packages that a release contains or installs (CycloneDX, JSON), made by npm from the lock file. npm gives it a random
 * serial number, the current time and the name of the folder; they are replaced by values of the sources.
 * @param folder contains package.json and package-lock.json
 */
export function billOfMaterials(folder: string, { epochSeconds, commit }: SourceStamp): string {
  const words = [
    'sbom',
    '--loglevel=error',
    '--package-lock-only',
    '--omit=dev',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
  ]
  const list = JSON.parse(npm(words, folder)) as CycloneDx
  const timestamp = new Date(epochSeconds * 1000).toISOString()
  const metadata = { ...list.metadata, timestamp, component: { ...list.metadata.component, name: 'phlix' } }
  const content = { ...list, serialNumber: '', metadata }
  const serialNumber = `urn:uuid:${uuidOf(`${commit} ${JSON.stringify(content)}`)}`
  return `${JSON.stringify({ ...content, serialNumber }, null, 2)}\n`
}
